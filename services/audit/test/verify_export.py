"""Verifies an export as docs/audit.md says, with nothing of the product: python3 verify_export.py FOLDER"""
import base64, decimal, hashlib, json, pathlib, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

def b64(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
def number(text): return int.from_bytes(b64(text), "big")
def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def fraction(value): # as ECMAScript writes numbers, which is what RFC 8785 asks for
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if value == 0: return "0"
    if 0 < point <= 21: text = text[:point].ljust(point, "0") + (text[point:] and "." + text[point:])
    elif -6 < point <= 0: text = "0." + "0" * -point + text
    else: text = text[0] + (text[1:] and "." + text[1:]) + f"e{point - 1:+d}"
    return "-" * sign + text
def jcs(value): # RFC 8785: names are sorted as UTF-16
    if isinstance(value, float): return fraction(value)
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(json.dumps(n, ensure_ascii=False) + ":" + jcs(value[n]) for n in names) + "}"
    if isinstance(value, list): return "[" + ",".join(map(jcs, value)) + "]"
    return json.dumps(value, ensure_ascii=False)

folder, failed = pathlib.Path(sys.argv[1]), []
def check(ok, record, reason):
    if not ok: failed.append(f"{record}: {reason}")
def lines(name): return [json.loads(line) for line in (folder / name).read_bytes().split(b"\n")[:-1]]

keys = {key["kid"]: key for key in lines("jwks.json")[0]["keys"]}
sizes = {"ES256": (ec.SECP256R1(), hashes.SHA256(), 32), "ES384": (ec.SECP384R1(), hashes.SHA384(), 48)}

def signed(record, item, kind):
    header, payload, signature = item["signature"].split(".")
    said = json.loads(b64(header))
    check(said == {"alg": item["alg"], "kid": item["kid"], "typ": f"audit-{kind}+jws"}, record, "header")
    key = keys.get(item["kid"])
    if key is None or key["alg"] != item["alg"] or payload != "": return check(False, record, "key")
    rest = jcs({name: value for name, value in item.items() if name != "signature"})
    message = (header + "." + base64.urlsafe_b64encode(rest.encode()).decode().rstrip("=")).encode()
    try:
        if item["alg"] in sizes:
            curve, digest, size = sizes[item["alg"]]
            public = ec.EllipticCurvePublicNumbers(number(key["x"]), number(key["y"]), curve).public_key()
            raw = b64(signature)
            pair = (int.from_bytes(raw[:size], "big"), int.from_bytes(raw[size:], "big"))
            public.verify(utils.encode_dss_signature(*pair), message, ec.ECDSA(digest))
        else:
            public = rsa.RSAPublicNumbers(number(key["e"]), number(key["n"])).public_key()
            pss = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
            public.verify(b64(signature), message, pss if item["alg"] == "PS256" else padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature: check(False, record, "signature")

heads, prev = {}, ""
for at, m in enumerate(lines("manifests.ndjson"), 1):
    record = f"manifest {m['sequence']}"
    check(m["sequence"] == at and m["prev_hash"] == prev, record, "place in the chain")
    parts = [m["project_id"], str(m["sequence"]), m["prev_hash"], m["data_hash"], m["batch_id"]]
    check(sha256("|".join(parts)) == m["head_hash"], record, "head_hash")
    signed(record, m, "manifest")
    heads[m["sequence"]], prev = m, m["head_hash"]
batches = lines("batches.ndjson")
check([b["sequence"] for b in batches] == list(heads), "batches", "one for each manifest")
for b in batches:
    m, record = heads.get(b["sequence"], {}), f"batch {b['sequence']}"
    check(sha256(jcs(b["data"])) == b["hash"] == m.get("data_hash"), record, "hash")
    check((b["chain_hash"], b["batch_id"], b["manifest_id"], b["signature"], b["kid"], b["alg"]) == tuple(m.get(n)
          for n in ("head_hash", "batch_id", "manifest_id", "signature", "kid", "alg")), record, "its manifest")
for c in lines("checkpoints.ndjson"):
    signed(f"checkpoint {c['checkpoint_id']}", c, "checkpoint")
    check(heads.get(c["sequence"], {}).get("head_hash") == c["head_hash"], f"checkpoint {c['checkpoint_id']}", "head_hash")
print("\n".join(failed) or "verified")
sys.exit(1 if failed else 0)
