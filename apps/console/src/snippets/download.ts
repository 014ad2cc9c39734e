/** Hands a file to the person. */
export const downloadFile = (name: string, file: Blob): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

/** Hands a text to the person as a file. */
export const download = (name: string, text: string, type = "application/json"): void =>
  downloadFile(name, new Blob([text], { type }));
