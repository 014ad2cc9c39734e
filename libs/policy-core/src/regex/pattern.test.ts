import { describe, expect, it } from "@jest/globals";
import { patternSource } from "../../test/pattern-source.ts";
import { re2, compilePattern, patternOf } from "./pattern.ts";

const java = (pattern: string): string => {
  const compiled = compilePattern(pattern);
  if ("fault" in compiled) throw new Error(compiled.fault);
  return compiled.java;
};

describe("regular expressions", () => {
  it.each([
    ["a.c", "(?d)a.c"],
    ["^a$", "(?d)\\Aa\\z"],
    ["\\d+-\\w*", "(?d)[0-9]++\\x{2D}[0-9A-Z_a-z]*+"],
    ["\\s", "(?d)[\\x{9}-\\x{A}\\x{C}-\\x{D} ]"],
    ["(?s).", "(?d)[\\x{0}-\\x{10FFFF}]"],
    ["(?i)sk", "(?d)[Ss\\x{17F}][Kk\\x{212A}]"],
    ["(?i:a)b", "(?d)[Aa]b"],
    ["(?P<x>a)(?<y>b)(?:c)", "(?d)abc"],
    ["[[:alpha:]_]", "(?d)[A-Z_a-z]"],
    ["[^\\n]", "(?d)."],
    ["[]a]", "(?d)[\\x{5D}a]"],
    ["\\Qa.b\\E*", "(?d)a\\x{2E}b*+"],
    ["a{0}", "(?d)"],
    ["(a*)*", "(?d)a*+"],
    ["(a|b|c)+", "(?d)[a-c]++"],
    ["GET|POST|PUT", "(?d)(?:GET|P(?:OST|UT))"],
    ["(\\d{1,3}\\.){3}\\d{1,3}", "(?d)(?:[0-9]{1,3}+\\x{2E}){3}+[0-9]{1,3}+"],
    [".*a.*b.*", "(?d)(?>.*?a)(?>.*?b).*+"],
    [".*(read|write).*", "(?d)(?>.*?(?:read|write)).*+"],
    ["😀+", "(?d)\\x{1F600}++"],
  ])("writes %s for the database", (pattern, text) => {
    expect(java(pattern)).toBe(text);
  });

  it.each([
    ["(a", '"(" without ")"'],
    ["a)", '")" without "("'],
    ["[a", '"[" without "]"'],
    ["[b-a]", "from the lower character to the higher"],
    ["[a-\\d]", "a range ends in a character"],
    ["[a-b-c]", 'a "-" between brackets'],
    ["[[:letter:]]", "is not a class"],
    ["[^\\x00-\\x{10FFFF}]", "hold no character"],
    ["*a", "nothing that"],
    ["a**", "a repetition cannot be repeated"],
    ["a*+", "a repetition cannot be repeated or possessive"],
    ["a{3,2}", "{n,m} goes from"],
    ["a{1001}", "at most 1000"],
    ["a{", 'write \\{ for the character "{"'],
    ["a{,3}", 'write \\{ for the character "{"'],
    ["^*", "an anchor cannot be repeated"],
    ["(a)\\1", "back-references are not accepted"],
    ["(?<n>a)\\k<n>", "back-references are not accepted"],
    ["(?=a)", "look-around is not accepted"],
    ["(?<!a)", "look-around is not accepted"],
    ["(?>a)", "unknown kind of group"],
    ["(?m)a", 'the flag "m" is not accepted'],
    ["(?u)a", 'the flag "u" is not accepted'],
    ["(?P<a>x)(?P<a>y)", "is used twice"],
    ["(?i)ä", "(?i) takes ASCII letters only"],
    ["\\pL", "write the characters or ranges"],
    ["\\012", "octal escapes"],
    ["\\Z", "\\Z is not accepted"],
    ["\\h", "\\h is not accepted"],
    ["\\u0041", "\\u is not accepted"],
    ["\\x{D800}", "\\x takes two hexadecimal digits"],
    ["\\x{110000}", "\\x takes two hexadecimal digits"],
    ["\\", "ends too early"],
    ["\uD800", "half a character"],
    ["a".repeat(257), "at most 256 characters"],
    ["(".repeat(40) + ")".repeat(40), "nested deeper than 32"],
    ["(a{100}){20}", "repetitions written out exceed 1000"],
    ["(a|b|ab)*c", "the next character must decide"],
    ["([a-z]+\\.)*[a-z]+", "the next character must decide"],
    ["(\\w+\\s?)*", "the next character must decide"],
    ["(.*a){12}", "the expression can backtrack too much"],
    [".*a?.*b?.*c", "the expression can backtrack too much"],
    ["(a|aa)(a|aa)(a|aa)".repeat(14), "the expression can backtrack too much"],
  ])("refuses %s", (pattern, reason) => {
    const compiled = compilePattern(pattern);
    expect("fault" in compiled ? compiled.fault : "accepted").toContain(reason);
  });

  it("gives no answer on a text of more than 4,096 characters", () => {
    const pattern = patternOf("(?s).*");
    expect(pattern?.fits("😀".repeat(4096))).toBe(true);
    expect(pattern?.fits("a".repeat(4097))).toBeNull();
    expect(patternOf(5)).toBeNull();
    expect(patternOf("(")).toBeNull();
  });
});

describe("an accepted pattern means what it means to RE2", () => {
  it("for patterns and texts drawn at random", () => {
    const draw = patternSource(39);
    let accepted = 0;
    for (let round = 0; round < 3000; round++) {
      const text = draw.pattern();
      const pattern = patternOf(text);
      if (pattern === null) continue;
      accepted++;
      const original = re2().compile(text);
      for (let i = 0; i < 8; i++) {
        const subject = draw.subject();
        expect([text, subject, pattern.fits(subject)]).toEqual([text, subject, original.matches(subject)]);
      }
    }
    expect(accepted).toBeGreaterThan(1000);
  });
});
