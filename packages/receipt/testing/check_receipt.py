"""A second verifier of receipts, written from docs/receipts.md on Python and cryptography alone. Reads JSON lines:
{file, keys, anchors, require} with a receipt in base64, or {chain, name, value, at, anchors} with a chain in base64.
Prints "good", "weaker" or "bad" and what is shown, or "secure", "insecure" or "bad", one line for each."""

import base64
import hashlib
import json
import re
import sys
import unicodedata
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa, utils

sys.setrecursionlimit(10_000)
ASSURANCES = ["dnssec", "witnessed", "nameservers"]
TXT, DS, RRSIG, NSEC, DNSKEY, NSEC3 = 16, 43, 46, 47, 48, 50
NS, SOA, DNAME = 2, 6, 39


class Bad(Exception):
    pass


class Unshown(Exception):
    pass


def demand(holds):
    if not holds:
        raise Bad


# Octets and signatures


def decode(text, url=False):
    demand(isinstance(text, str) and text.isascii())
    plain = text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4) if url else text
    octets = base64.b64decode(plain, validate=True)
    written = base64.b64encode(octets).decode()
    demand(text == (written.rstrip("=").replace("+", "-").replace("/", "_") if url else written))
    return octets


def encode_url(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL = [0, 1, P - 1, Y8, P - Y8]


def is_point(octets):
    y = int.from_bytes(octets, "little") & (2**255 - 1)
    return y < P and y not in SMALL


def ed25519_signs(key, signature, data):
    demand(len(key) == 32 and len(signature) == 64 and is_point(key) and is_point(signature[:32]))
    demand(int.from_bytes(signature[32:], "little") < ORDER)
    ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, data)


def rsa_key(key):
    length, start = (key[0], 1) if key[0] > 0 else (key[1] * 256 + key[2], 3)
    exponent, modulus = key[start : start + length], key[start + length :]
    demand(1 <= length <= 4 and exponent[0] > 0 and exponent[-1] & 1 and exponent != b"\x01")
    demand(modulus[0] > 0 and 128 <= len(modulus) <= 512)
    return rsa.RSAPublicNumbers(int.from_bytes(exponent, "big"), int.from_bytes(modulus, "big")).public_key()


def dnssec_signs(algorithm, key, signature, data):
    """Of a DNSSEC algorithm, with key and signature as records hold them."""
    if algorithm in (8, 10):
        digest = hashes.SHA256() if algorithm == 8 else hashes.SHA512()
        own = rsa_key(key)
        demand(len(signature) == (own.key_size + 7) // 8)
        own.verify(signature, data, padding.PKCS1v15(), digest)
    elif algorithm in (13, 14):
        curve, digest, size = ((ec.SECP256R1(), hashes.SHA256(), 32), (ec.SECP384R1(), hashes.SHA384(), 48))[algorithm - 13]
        demand(len(key) == 2 * size and len(signature) == 2 * size)
        point = ec.EllipticCurvePublicKey.from_encoded_point(curve, b"\x04" + key)
        r, s = (int.from_bytes(signature[at : at + size], "big") for at in (0, size))
        point.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(digest))
    elif algorithm == 15:
        ed25519_signs(key, signature, data)
    else:
        ed448.Ed448PublicKey.from_public_bytes(key).verify(signature, data)


# The chain: a name is a tuple of labels from the right


class Reader:
    def __init__(self, octets):
        self.octets, self.at = octets, 0

    def take(self, count):
        demand(self.at + count <= len(self.octets))
        self.at += count
        return self.octets[self.at - count : self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "big")

    def name(self):
        labels, size = [], 1
        while (length := self.number(1)) > 0:
            size += 1 + length
            demand(length < 64 and size <= 255)
            labels.append(self.take(length))
        return tuple(reversed(labels))

    def left(self):
        return len(self.octets) > self.at


def wire(name):
    return b"".join(bytes([len(label)]) + label for label in reversed(name)) + b"\0"


def parse_name(text):
    return () if text in (".", "") else tuple(label.encode() for label in reversed(text.rstrip(".").lower().split(".")))


def count_labels(name):
    return len(name) - (1 if name and name[-1] == b"*" else 0)


class RrSet:
    """The records of one RRset and the signature after them, in canonical form and order."""

    def __init__(self, reader):
        self.records, self.owner = [], None
        while True:
            owner, kind, rdclass, ttl = reader.name(), reader.number(2), reader.number(2), reader.number(4)
            rdata = reader.take(reader.number(2))
            demand(rdclass == 1 and all(label == label.lower() for label in owner))
            demand(self.owner in (None, owner))
            self.owner = owner
            if kind == RRSIG:
                break
            demand(not self.records or (kind == self.type and self.records[-1] < rdata and ttl == self.ttl))
            self.type, self.ttl = kind, ttl
            self.records.append(rdata)
        demand(self.records)
        fields = Reader(rdata)
        self.covers, self.algorithm, self.labels = fields.number(2), fields.number(1), fields.number(1)
        self.original_ttl, self.expiration, self.inception = (fields.number(4) for _ in range(3))
        self.tag, self.signer = fields.number(2), fields.name()
        demand(all(label == label.lower() for label in self.signer))
        self.signed, self.signature = rdata[: fields.at], rdata[fields.at :]
        demand(self.covers == self.type and ttl == self.original_ttl == self.ttl)

    def verify(self, zone, keys, at, exact=True):
        demand(self.signer == zone and self.owner[: len(zone)] == zone)
        demand(self.labels == count_labels(self.owner) if exact else self.labels <= count_labels(self.owner))
        demand((at - self.inception) % 2**32 < 2**31 and (self.expiration - at) % 2**32 < 2**31)
        owner = self.owner
        if self.labels < count_labels(owner):
            owner = owner[: self.labels] + (b"*",)
        head = wire(owner) + self.type.to_bytes(2, "big") + b"\0\1" + self.original_ttl.to_bytes(4, "big")
        data = self.signed + b"".join(head + len(one).to_bytes(2, "big") + one for one in self.records)
        fitting = [key for key in keys if key_tag(key) == self.tag and key[3] == self.algorithm]
        demand(self.algorithm in (8, 10, 13, 14, 15, 16))
        for key in fitting[:2]:
            try:
                return dnssec_signs(self.algorithm, key[4:], self.signature, data)
            except (Bad, InvalidSignature, ValueError, IndexError):
                pass
        raise Bad


def key_tag(rdata):
    total = sum(octet << 8 if at % 2 == 0 else octet for at, octet in enumerate(rdata))
    return (total + (total >> 16)) & 0xFFFF


def zone_keys(records):
    return [key for key in records if len(key) > 3 and key[2] == 3 and key[0] & 1 and not key[1] & 0x80]


DIGESTS = {2: hashlib.sha256, 4: hashlib.sha384}


def usable(all_ds):
    return [ds for ds in all_ds if ds[2] in (8, 10, 13, 14, 15, 16) and ds[3] in DIGESTS]


def bits(reader):
    types = set()
    while reader.left():
        window = reader.number(1)
        for index, octet in enumerate(reader.take(reader.number(1))):
            types |= {window * 256 + index * 8 + bit for bit in range(8) if octet & (0x80 >> bit)}
    return types


def base32hex(octets):
    return base64.b32encode(octets).translate(bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789abcdefghijklmnopqrstuv"))


class Span:
    def __init__(self, rrset):
        demand(rrset.type in (NSEC, NSEC3) and len(rrset.records) == 1)
        reader = Reader(rrset.records[0])
        self.rrset, self.iterations, self.salt, self.opt_out = rrset, 0, None, False
        if rrset.type == NSEC:
            self.next = tuple(label.lower() for label in reader.name())
        else:
            algorithm, flags, self.iterations = reader.number(1), reader.number(1), reader.number(2)
            self.salt = reader.take(reader.number(1))
            following = reader.take(reader.number(1))
            demand(algorithm == 1 and flags < 2 and len(following) == 20)
            self.opt_out, self.next = flags == 1, rrset.owner[:-1] + (base32hex(following),)
        self.types = bits(reader)

    def key_of(self, zone, name):
        if self.salt is None:
            return name
        digest = wire(name)
        for _ in range(self.iterations + 1):
            digest = hashlib.sha1(digest + self.salt).digest()
        return zone + (base32hex(digest),)

    def matches(self, zone, name):
        return self.rrset.owner == self.key_of(zone, name)

    def covers(self, zone, name):
        key, owner = self.key_of(zone, name), self.rrset.owner
        return owner < key < self.next if owner < self.next else owner < key or key < self.next

    def ends_zone(self):
        return (NS in self.types and SOA not in self.types) or DNAME in self.types


def denies_ds(spans, zone, name):
    """The spans that show that a name on the way is a delegation without DS records."""
    find = lambda test, child: next((span for span in spans if getattr(span, test)(zone, child)), None)
    encloser = find("matches", zone)
    for depth in range(len(zone) + 1, len(name) + 1):
        child = name[:depth]
        own = find("matches", child)
        if own and NS in own.types and not own.types & {DS, SOA}:
            return [own]
        if not own and encloser and not encloser.ends_zone():
            span = find("covers", child)
            if span and span.opt_out:
                return [encloser] if span is encloser else [encloser, span]
        encloser = own
    raise Bad


def check_chain(chain, name, value, at, anchors, since=None):
    """"secure" or "insecure"; raises Bad, or Unshown without an anchor above the name."""
    name = parse_name(name)
    lines = [line.replace(" IN ", " ").split(" DS ") for line in anchors]
    parsed = [(parse_name(zone), words.split(None, 3)) for zone, words in lines]
    above = [zone for zone, _ in parsed if name[: len(zone)] == zone]
    zone = max(above, key=len, default=())
    ds = [(int(w[0]).to_bytes(2, "big") + bytes([int(w[1]), int(w[2])]) + bytes.fromhex(w[3])) for at_zone, w in parsed if at_zone == zone]
    if not usable(ds):
        raise Unshown
    demand(len(chain) <= 65_536)
    reader, sets = Reader(chain), []
    while reader.left():
        sets.append(RrSet(reader))
    while True:
        if not usable(ds):
            demand(not sets)
            return "insecure"
        demand(sets and sets[0].type == DNSKEY and sets[0].owner == zone)
        own = sets.pop(0)
        demand(len(own.records) <= 32 and len(usable(ds)) <= 32)
        keys = zone_keys(own.records)
        entries = [key for key in keys if any(entry_of(zone, key, one) for one in usable(ds))]
        own.verify(zone, entries, at)
        demand(sets)
        first = sets[0]
        if first.type != DS:
            break
        demand(len(first.owner) > len(zone) and name[: len(first.owner)] == first.owner)
        first.verify(zone, keys, at)
        zone, ds = first.owner, [one for one in sets.pop(0).records]
    if first.type == TXT:
        demand(first.owner == name)
        demand(since is None or (first.inception - since) % 2**32 < 2**31)
        first.verify(zone, keys, at, exact=False)
        demand(value.encode() in [text for text in map(strings, first.records) if text is not None])
        if first.labels == count_labels(name):
            demand(len(sets) == 1)
            return "secure"
        demand(len(sets) == 2)
        span, closer = Span(sets[1]), name[: first.labels + 1]
        sets[1].verify(zone, keys, at)
        if span.iterations > 50:
            return "insecure"
        demand(span.covers(zone, closer) and span.next[: len(closer)] != closer)
        demand(not (closer[: len(span.rrset.owner)] == span.rrset.owner and span.ends_zone()))
        return "insecure" if span.opt_out else "secure"
    spans = [Span(one) for one in sets]
    for one in sets:
        one.verify(zone, keys, at)
    demand(len({(span.iterations, span.salt) for span in spans}) == 1)
    if spans[0].iterations > 50:
        demand(len(spans) == 1)
    else:
        demand(denies_ds(spans, zone, name) == spans)
    return "insecure"


def entry_of(zone, key, ds):
    return key_tag(key) == int.from_bytes(ds[:2], "big") and key[3] == ds[2] and DIGESTS[ds[3]](wire(zone) + key).digest() == ds[4:]


def strings(rdata):
    reader, text = Reader(rdata), b""
    try:
        while reader.left():
            text += reader.take(reader.number(1))
        return text
    except Bad:
        return None


# The receipt

HEADER = re.compile(r'\{"alg":"Ed25519","jwk":\{"crv":"Ed25519","kty":"OKP","x":"([A-Za-z0-9_-]{43})"\},"kid":"([A-Za-z0-9_-]{43})","typ":"([^"]+)"\}')
HASH = re.compile(r"[A-Za-z0-9_-]{43}")
NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
ADDRESS = re.compile(r"[0-9a-f.:]{2,45}")
TOKEN = re.compile(r"[a-z0-9_-]{1,32}[0-9a-f]{40}")
ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,260})(:([1-9][0-9]{0,4}))?")
MISLEADING = {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
TRANSPORTS = ("udp", "tcp", "tls", "https")


def number(text):
    return int(text) if len(text) < 20 else float(text)


def refuse(_):
    raise ValueError


def parse(octets):
    text = octets.decode("utf-8")
    demand(text.count("[") + text.count("{") <= 1_000)
    return text, json.loads(text, parse_int=number, parse_constant=refuse)


def in_order(value):
    if isinstance(value, dict):
        return {name: in_order(value[name]) for name in sorted(value, key=lambda name: name.encode("utf-16-be"))}
    return [in_order(one) for one in value] if isinstance(value, list) else value


def parse_canonical(octets):
    text, value = parse(octets)
    demand(text == json.dumps(in_order(value), ensure_ascii=False, separators=(",", ":")))
    demand(not re.search(r"[-.+]|[0-9][eE]|[0-9]{16}", re.sub(r'"(?:[^"\\]|\\.)*"', "", text)))
    return value


def read_jws(jws, kind):
    pieces = jws.split(".")
    demand(len(pieces) == 3)
    head, payload, signature = (decode(piece, url=True) for piece in pieces)
    found = HEADER.fullmatch(head.decode("utf-8"))
    demand(found and found[3] == kind)
    thumbprint = encode_url(hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{found[1]}"}}'.encode()).digest())
    demand(thumbprint == found[2])
    ed25519_signs(decode(found[1], url=True), signature, jws.rpartition(".")[0].encode())
    return thumbprint, payload


def is_text(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_plain(value):
    ok = lambda one: unicodedata.category(one) not in ("Cc", "Cs") and one not in MISLEADING
    return isinstance(value, str) and 1 <= len(value) <= 320 and all(map(ok, value))


def moment(value):
    demand(is_text(MOMENT, value))
    at = datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    demand(at.year >= 1970)
    return int(at.timestamp())


def is_bool(*values):
    return all(value is True or value is False for value in values)


def check_origin(iss):
    found = ORIGIN.fullmatch(iss) if isinstance(iss, str) else None
    demand(found and not (found[3] and (int(found[3]) > 65_535 or found[3] == ("443" if iss.startswith("https") else "80"))))
    if re.search(r"(^|\.)([0-9]+|0x[0-9a-f]*)\.?\Z", found[1]):
        demand(re.fullmatch(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}", found[1]))
        demand(all(int(one) < 256 for one in found[1].split(".")))


def check_statement(said):
    demand(isinstance(said, dict))
    check_origin(said["iss"])
    demand(is_text(NAME, said["sub"]) and is_text(NAME, said["challengeName"]) and is_text(TOKEN, said["token"]))
    demand(said["challengeName"].partition(".")[2] == said["sub"])
    demand(not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", said["sub"].rpartition(".")[2]))
    demand(all(is_text(HASH, said[name]) for name in ("evidenceSha256", "holderCommitment")) and is_plain(said["heldBy"]))
    demand(type(said["iat"]) is int and said["iat"] < 2**32 and said["iat"] >= moment(said["provedAt"]))
    demand(said["scope"] == "exact_name" and said["rule"] in ("deed-proof/1", "deed-dnssec/1"))
    demand(said["dnssec"] in ("secure", "insecure", "indeterminate") and said["assurance"] in ASSURANCES)
    demand("nonce" not in said or is_text(HASH, said["nonce"]))
    path = said.get("successions", [])
    demand(isinstance(path, list) and all(isinstance(one, str) for one in path))
    demand("successions" not in said or ("nonce" in said and path))
    demand(isinstance(said["nameservers"], list) and isinstance(said["witnesses"], list))
    for one in said["nameservers"]:
        demand(isinstance(one, dict) and is_plain(one["name"]) and is_bool(one["asked"], one["answered"], one["held"]))
        demand(one["address"] is None or is_text(ADDRESS, one["address"]))
        demand(one["transport"] is None or one["transport"] in TRANSPORTS)
        demand(one["held"] == one["answered"] == (one["transport"] is not None))
        demand(one["asked"] >= one["answered"] and (one["address"] is not None) >= one["asked"])
    for one in said["witnesses"]:
        demand(isinstance(one, dict) and is_plain(one["name"]) and one["transport"] in TRANSPORTS and is_bool(one["agreed"], one["ad"]))
    answered = sum(one["answered"] for one in said["nameservers"])
    agreed = sum(one["agreed"] for one in said["witnesses"])
    if said["rule"] == "deed-dnssec/1":
        demand(not said["nameservers"] and said["dnssec"] == "secure")
        demand(moment(said["claimedAt"]) is not None and said["claimedAt"] <= said["provedAt"])
    else:
        demand("claimedAt" not in said and answered > 0 and 2 * answered >= len(said["nameservers"]))
    demand(not said["witnesses"] or 2 * agreed > len(said["witnesses"]))
    demand(said["assurance"] == assurance_of(said, said["dnssec"] == "secure"))


def assurance_of(said, is_signed):
    if is_signed:
        return "dnssec"
    return "witnessed" if said["witnesses"] and all(one["agreed"] for one in said["witnesses"]) else "nameservers"


def check_token(said, kid):
    """Whether the receipt is bound."""
    if "nonce" not in said:
        return False
    path = [read_jws(one, "deed-key+jwt") for one in said.get("successions", [])]
    following = [one for one, _ in path[1:]] + [kid]
    for (_, payload), after in zip(path, following):
        step = parse_canonical(payload)
        demand(isinstance(step, dict) and step.get("next") == after)
    made = {"holder": said["holderCommitment"], "key": path[0][0] if path else kid, "name": said["challengeName"]}
    text = json.dumps({**made, "nonce": said["nonce"], "tag": "deed-token/1"}, separators=(",", ":"))
    demand(said["token"].endswith(hashlib.sha256(text.encode()).hexdigest()[:40]))
    return True


def check_receipt(octets, keys, anchors, require="nameservers"):
    demand(len(octets) <= 65_536)
    _, receipt = parse(octets)
    demand(isinstance(receipt, dict) and receipt["format"] == "deed-receipt/2" and isinstance(receipt["statement"], str))
    dnssec = receipt["dnssec"]
    demand(dnssec is None or (isinstance(dnssec, dict) and isinstance(dnssec["chain"], str)))
    kid, payload = read_jws(receipt["statement"], "deed-proof+jwt")
    demand(not keys or kid in keys)
    said = parse_canonical(payload)
    check_statement(said)
    is_bound = check_token(said, kid)
    shown = None
    demand((dnssec is None) == (said["dnssec"] == "indeterminate"))
    if dnssec is not None:
        since = moment(said["claimedAt"]) - 86_400 if "claimedAt" in said else None
        try:
            question = (said["challengeName"], said["token"], moment(said["provedAt"]), anchors, since)
            shown = check_chain(decode(dnssec["chain"]), *question)
            demand(shown == said["dnssec"])
        except Unshown:
            pass
    is_signed = shown == "secure" and is_bound
    is_backed = said["rule"] == "deed-proof/1" or is_signed
    assurance = assurance_of(said, is_signed) if is_backed else "nothing"
    is_enough = is_backed and ASSURANCES.index(assurance) <= ASSURANCES.index(require)
    return f"{'good' if keys and shown and is_enough else 'weaker'} {assurance}"


for line in sys.stdin:
    asked = json.loads(line)
    try:
        if "file" in asked:
            print(check_receipt(base64.b64decode(asked.pop("file")), **asked))
        else:
            print(check_chain(base64.b64decode(asked.pop("chain")), **asked))
    except Unshown:
        print("not shown")
    except (Bad, ValueError, KeyError, IndexError, InvalidSignature, TypeError, OverflowError, RecursionError) as error:
        print("bad")
        if "--why" in sys.argv and not isinstance(error, Bad):
            print(repr(error), file=sys.stderr)
