"""A second verifier of receipts, on Python and cryptography, and openssl for stamps. It was first written from
docs/receipts.md by somebody who had read nothing else of Deed. That found 37 places where the page left a choice, and
five faults in our verifier. Of a stamp it checks neither what nothing signs (step 1 of the page) nor what it costs.

check_receipt.py RECEIPT [--key THUMBPRINT]... [--keys JWKS] [--require LEVEL] [--anchor DS]... prints the verdict. Without
a receipt it reads lines: {file, keys, anchors, require, history, holder, stampRoots} or
{chain, name, value, at, anchors, since}."""

import argparse, base64, hashlib, json, pathlib, re, struct, subprocess, sys, tempfile
from datetime import datetime, timezone
from ipaddress import ip_address

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512

ROOT = [". IN DS 20326 8 2 e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d",
        ". IN DS 38696 8 2 683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16"]
NS, SOA, TXT, DNAME, DS, RRSIG, NSEC, DNSKEY, NSEC3 = 2, 6, 16, 39, 43, 46, 47, 48, 50
ALGORITHMS, DIGESTS = (8, 10, 13, 14, 15, 16), {2: hashlib.sha256, 4: hashlib.sha384}
LEVELS = ["nothing", "nameservers", "witnessed", "dnssec"]

class Bad(Exception):
    pass

FAULTS = (Bad, ValueError, KeyError, IndexError, RecursionError, InvalidSignature, struct.error)

def need(holds, what):
    if not holds:
        raise Bad(what)

# Texts, JSON and signatures

def encode(octets, url=True):
    return (base64.urlsafe_b64encode(octets).rstrip(b"=") if url else base64.b64encode(octets)).decode()

def decode(text, url=True):
    octets = base64.b64decode(text + "=" * (-len(text) % 4 if url else 0), b"-_" if url else None, validate=True)
    need(encode(octets, url) == text, "base64")
    return octets

def base64_of(text):
    try:
        return decode(text, url=False)
    except FAULTS:
        return b""

def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    return "[" + ",".join(map(canonical, value)) + "]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)

def refuse(number):
    raise Bad(f"number {number}")

def parse(octets, **numbers):
    need(len(octets) <= 65_536 and octets.count(b"[") + octets.count(b"{") <= 1_000, "too long or too deep")
    value = json.loads(octets.decode(), parse_constant=refuse, **numbers)
    need(isinstance(value, dict), "not an object")
    return value

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826

def check_ed25519(key, signature, data):
    for octets in key, signature[:32]:
        y = int.from_bytes(octets, "little") % 2**255
        need(len(octets) == 32 and y < P and y not in (0, 1, P - 1, Y8, P - Y8), "point")
    need(int.from_bytes(signature[32:], "little") < ORDER, "number")
    ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, data)

def check_dnskey(algorithm, key, signature, data):
    if algorithm in (8, 10):
        e, n = key[1:1 + key[0]], key[1 + key[0]:]
        need(1 <= len(e) <= 4 and e[0] and e[-1] & 1 and e != b"\1" and 128 <= len(n) <= 512 and n[0], "RSA key")
        public = rsa.RSAPublicNumbers(int.from_bytes(e, "big"), int.from_bytes(n, "big")).public_key()
        public.verify(signature, data, padding.PKCS1v15(), SHA256() if algorithm == 8 else SHA512())
    elif algorithm in (13, 14):
        curve, digest, size = (ec.SECP256R1(), SHA256(), 32) if algorithm == 13 else (ec.SECP384R1(), SHA384(), 48)
        need(len(key) == len(signature) == 2 * size, "ECDSA")
        halves = (int.from_bytes(half, "big") for half in (signature[:size], signature[size:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(curve, b"\4" + key)
        public.verify(utils.encode_dss_signature(*halves), data, ec.ECDSA(digest))
    elif algorithm == 15:
        check_ed25519(key, signature, data)
    else:
        ed448.Ed448PublicKey.from_public_bytes(key).verify(signature, data)

def read_jws(text, kind):
    """The thumbprint of the key that signed, and what it said."""
    need(isinstance(text, str) and text.count(".") == 2, "JWS")
    header, payload, signature = map(decode, text.split("."))
    x = (re.findall(b'"x":"([A-Za-z0-9_-]{43})"', header) or [b""])[0].decode()
    jwk = '{"crv":"Ed25519","kty":"OKP","x":"%s"}' % x
    kid = encode(hashlib.sha256(jwk.encode()).digest())
    need(header.decode() == '{"alg":"Ed25519","jwk":%s,"kid":"%s","typ":"%s"}' % (jwk, kid, kind), "header")
    check_ed25519(decode(x), signature, text.rpartition(".")[0].encode())
    whole = lambda one: int(one) if re.fullmatch("[0-9]{1,15}", one) else refuse(one)
    said = parse(payload, parse_int=whole, parse_float=refuse)
    need(canonical(said).encode() == payload, "not canonical")
    return kid, said

# The chain. A name is the tuple of its labels from the root down: tuples sort in canonical order.

def read_name(octets, any_case=False):
    labels, at = (), 0
    while size := octets[at]:
        label, at = octets[at + 1:at + 1 + size], at + 1 + size
        need(size < 64 and len(label) == size and (any_case or label == label.lower()), "name")
        labels = (label.lower(), *labels)
    need(at < 255, "name")
    return labels, octets[at + 1:]

def wire(name):
    return b"".join(bytes([len(label)]) + label for label in reversed(name)) + b"\0"

def parse_name(text):
    return tuple(label.encode() for label in reversed(text.lower().split(".")) if label)

def under(name, zone):
    return name[:len(zone)] == zone

class RrSet:
    """The first RRset of a chain, its signature, and what follows."""
    def __init__(self, chain):
        records, kind = [], None
        while kind != RRSIG:
            owner, rest = read_name(chain)
            kind, one, ttl, size = struct.unpack_from("!HHIH", rest)
            rdata, chain = rest[10:10 + size], rest[10 + size:]
            records.append(((owner, kind, ttl), rdata))
            need(one == 1 and len(rdata) == size, "record")
        (self.owner, self.type, self.ttl), _ = records[0]
        *self.rdatas, last = (rdata for _, rdata in records)
        need({head for head, _ in records[:-1]} == {(owner, self.type, ttl)}, "RRset")
        need(self.rdatas == sorted(set(self.rdatas)), "order")
        covers, self.algorithm, self.labels, original = struct.unpack_from("!HBBI", last)
        self.until, self.since, self.tag = struct.unpack_from("!IIH", last, 8)
        need((covers, original) == (self.type, ttl), "RRSIG")
        self.signer, self.signature = read_name(last[18:])
        self.head, self.rest = last[:len(last) - len(self.signature)], chain

class Span:
    """An NSEC or NSEC3 record; `place` is that of a name in its order."""
    def __init__(self, rrset, chain):
        need(rrset.type in (NSEC, NSEC3) and len(rrset.rdatas) == 1, "denial")
        self.owner, data, self.chain, self.types = rrset.owner, rrset.rdatas[0], chain, set()
        self.opt_out, self.rounds, self.salt = False, 0, b""
        if rrset.type == NSEC:
            self.next, bits = read_name(data, any_case=True)
        else:
            algorithm, flags, iterations, size = struct.unpack_from("!BBHB", data)
            self.opt_out, self.rounds, self.salt, rest = flags == 1, iterations + 1, data[5:5 + size], data[5 + size:]
            need(algorithm == 1 and flags < 2 and rest[0] == 20 and len(rest) > 20, "NSEC3")
            need(self.owner[:-1] == chain.zone != self.owner, "owner of NSEC3")
            self.next, bits = chain.zone + (base32(rest[1:21]),), rest[21:]
        while bits:
            block, offset = bits[2:2 + bits[1]], bits[0] * 256
            need(len(block) == bits[1], "types")
            self.types |= {offset + at for at in range(8 * len(block)) if block[at // 8] << at % 8 & 128}
            bits = bits[2 + len(block):]
        self.is_cut = NS in self.types and SOA not in self.types

    def place(self, name):
        digest, self.chain.rounds = wire(name), self.chain.rounds + self.rounds
        need(self.chain.rounds <= 4_096, "too many rounds")
        for _ in range(self.rounds):
            digest = hashlib.sha1(digest + self.salt).digest()
        return self.chain.zone + (base32(digest),) if self.rounds else name

    def covers(self, name):
        place = self.place(name)
        return self.owner < place < self.next if self.owner < self.next else place > self.owner or place < self.next

def base32(octets):
    plain, hexadecimal = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789abcdefghijklmnopqrstuv"
    return base64.b32encode(octets).translate(bytes.maketrans(plain, hexadecimal))

def key_tag(rdata):
    total = sum(octet << (0 if at % 2 else 8) for at, octet in enumerate(rdata))
    return (total + (total >> 16)) & 0xFFFF

def usable(ds):
    return [one for one in ds if len(one) > 3 and one[2] in ALGORITHMS and one[3] in DIGESTS]

class Chain:
    def __init__(self, octets, at):
        need(len(octets) <= 65_536, "too long")
        self.sets, self.at, self.tried, self.digests, self.rounds = [], at, 0, 0, 0
        while octets:
            self.sets.append(RrSet(octets))
            octets = self.sets[-1].rest
        need(sum(len(one.rdatas) + 1 for one in self.sets) <= 512, "too many records")
        need(len({(one.owner, one.type) for one in self.sets}) == len(self.sets), "RRset twice")

    def take(self, keys, *kinds):
        """The next RRset, signed by one of the keys of the zone."""
        need(self.sets and self.sets[0].type in kinds, "another record")
        rrset = self.sets.pop(0)
        owner, count = rrset.owner, len(rrset.owner) - (rrset.owner[-1:] == (b"*",))
        need(rrset.signer == self.zone and under(owner, self.zone), "signer")
        need(rrset.labels == count or rrset.type == TXT and len(self.zone) <= rrset.labels < count, "labels")
        need((self.at - rrset.since) % 2**32 < 2**31 and (rrset.until - self.at) % 2**32 < 2**31, "time")
        head = wire(owner if rrset.labels == count else owner[:rrset.labels] + (b"*",))
        head += struct.pack("!HHI", rrset.type, 1, rrset.ttl)
        data = rrset.head + b"".join(head + struct.pack("!H", len(one)) + one for one in rrset.rdatas)
        for key in [one for one in keys if key_tag(one) == rrset.tag and one[3] == rrset.algorithm in ALGORITHMS][:2]:
            self.tried += 1
            need(self.tried <= 64, "too many signatures")
            try:
                check_dnskey(rrset.algorithm, key[4:], rrset.signature, data)
                return rrset
            except FAULTS:
                pass
        raise Bad(f"signature over {owner}")

    def enter(self, zone, ds):
        """Takes the keys of a zone, which a key with the digest of a DS record signs."""
        self.zone, entries, rdatas = zone, [], self.sets[0].rdatas if self.sets else []
        need(len(rdatas) <= 32 and len(ds) <= 32, "too many keys")
        self.keys = [one for one in rdatas if len(one) > 3 and one[0] & 1 and not one[1] & 128 and one[2] == 3]
        for key in self.keys:
            for one in ds:
                if key not in entries and one[:3] == struct.pack("!HB", key_tag(key), key[3]):
                    self.digests += 1
                    need(self.digests <= 64, "too many digests")
                    entries += [key] * (DIGESTS[one[3]](wire(zone) + key).digest() == one[4:])
        need(self.take(entries, DNSKEY).owner == zone, "keys")

    def span(self):
        return Span(self.take(self.keys, NSEC, NSEC3), self)

    def ends(self, verdict):
        need(not self.sets, "left over")
        return verdict

    def follow(self, name, value, zone, ds, since=None):
        """"secure" or "insecure"."""
        self.enter(zone, ds)
        while self.sets and self.sets[0].type == DS:
            found = self.take(self.keys, DS)
            need(under(name, found.owner) and found.owner != self.zone, "DS")
            if not usable(found.rdatas):
                return self.ends("insecure")
            self.enter(found.owner, usable(found.rdatas))
        if not self.sets or self.sets[0].type != TXT:
            return self.follow_unsigned(name)
        found = self.take(self.keys, TXT)
        need(found.owner == name and value.encode() in map(join, found.rdatas), "token")
        need(since is None or (found.since - since) % 2**32 < 2**31, "signed too early")
        if found.labels == len(name):
            return self.ends("secure")
        span, closer = self.span(), name[:found.labels + 1]
        if span.rounds <= 51:
            need(span.covers(closer) and not under(span.next, closer), "a closer name")
            need(not under(closer, span.owner) or not span.is_cut and DNAME not in span.types, "cut")
        return self.ends("insecure" if span.opt_out or span.rounds > 51 else "secure")

    def follow_unsigned(self, name):
        span, exists = self.span(), False
        if span.rounds > 51:
            return self.ends("insecure")
        for depth in range(len(self.zone), len(name) + 1):
            child = name[:depth]
            if span.place(child) == span.owner:
                if span.is_cut and DS not in span.types and depth > len(self.zone):
                    return self.ends("insecure")
                need(not span.is_cut and DNAME not in span.types, "cut")
                exists = True
            elif exists:
                last = span if span.covers(child) or not self.sets else self.span()
                need((last.rounds, last.salt) == (span.rounds, span.salt) and last.opt_out and last.covers(child), "opt-out")
                return self.ends("insecure")
        raise Bad("nothing is shown")

def join(rdata):
    text = b""
    while rdata:
        if len(rdata) <= rdata[0]:
            return None
        text, rdata = text + rdata[1:1 + rdata[0]], rdata[1 + rdata[0]:]
    return text

def anchors_of(name, lines):
    """The closest zone with an anchor, and its DS records that count."""
    anchors = {(): []}
    for line in lines:
        zone, (tag, algorithm, kind, *digest) = line.split()[0], line.split(" DS ")[1].split()
        rdata = struct.pack("!HBB", int(tag), int(algorithm), int(kind)) + bytes.fromhex("".join(digest))
        anchors.setdefault(parse_name(zone), []).append(rdata)
    zone = max((one for one in anchors if under(name, one)), key=len)
    return zone, usable(anchors[zone])

# The receipt

FLAG = (True, False)
HASH = "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]"
NAME = r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*"
MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
PLAIN = "[^\0-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,320}"
STATEMENT = {
    "iss": r"https?://(?=.{1,260}\Z)(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", "sub": NAME, "challengeName": NAME,
    "token": "[a-z0-9_-]{1,32}[0-9a-f]{40}", "provedAt": MOMENT, "scope": "exact_name", "rule": "deed-(proof/[13]|dnssec/1)",
    "dnssec": "secure|insecure|indeterminate", "assurance": "dnssec|witnessed|nameservers", "evidenceSha256": HASH,
    "heldBy": PLAIN, "holderCommitment": HASH, "iat": int, "nameservers": list, "witnesses": list}
LEFT_OUT = {"nonce": HASH, "claimedAt": MOMENT, "successions": list}
TRANSPORT = "udp|tcp|tls|https"
SERVER = {"name": PLAIN, "address": ("[0-9a-f.:]{2,45}", None), "asked": FLAG, "answered": FLAG, "held": FLAG,
          "transport": (TRANSPORT, None)}
WITNESS = {"name": PLAIN, "transport": TRANSPORT, "agreed": FLAG, "ad": FLAG}
NUMBER = re.compile("[0-9]+|0x[0-9a-f]*")

def check_form(value, form, left_out={}):
    need(isinstance(value, dict), "form")
    for name, wanted in {**form, **{one: form for one, form in left_out.items() if one in value}}.items():
        one, choices = value[name], wanted if isinstance(wanted, tuple) else (wanted,)
        need(any(one is w or type(one) is w or type(w) is type(one) is str and re.fullmatch(w, one) for w in choices), name)
        need(wanted is not MOMENT or moment(one) >= 0, name)

def moment(text):
    """In milliseconds since 1970."""
    return round(datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc).timestamp() * 1_000)

def check_origin(iss):
    scheme, host, port = re.fullmatch(r"(\w+)://(.+?)(?::(\d+))?", iss).groups()
    need(port is None or str(int(port)) == port != {"http": "80", "https": "443"}[scheme] and int(port) < 65_536, "iss")
    is_address = host[0] == "[" or NUMBER.fullmatch(host.removesuffix(".").rpartition(".")[2])
    need(not is_address or str(ip_address(host.strip("[]"))) == host.strip("[]"), "iss")

def check_statement(said):
    """What the rule and the witnesses show."""
    check_form(said, STATEMENT, LEFT_OUT)
    check_origin(said["iss"])
    need(said["challengeName"].partition(".")[2] == said["sub"], "challengeName")
    need(not NUMBER.fullmatch(said["sub"].rpartition(".")[2]), "sub")
    need(moment(said["provedAt"]) // 1_000 <= said["iat"] < 2**32, "iat")
    need("successions" not in said or "nonce" in said and said["successions"], "successions")
    servers, witnesses = said["nameservers"], said["witnesses"]
    for one in servers:
        check_form(one, SERVER)
        need(one["held"] == one["answered"] == (one["transport"] is not None), "answered")
        need((one["address"] is not None) >= one["asked"] >= one["answered"], "asked")
    for one in witnesses:
        check_form(one, WITNESS)
    answered, agreed = sum(one["answered"] for one in servers), sum(one["agreed"] for one in witnesses)
    is_proof = said["rule"] != "deed-dnssec/1"
    need(is_proof == ("claimedAt" not in said) and said.get("claimedAt", "") <= said["provedAt"], "claimedAt")
    need(answered and 2 * answered >= len(servers) if is_proof else not servers and said["dnssec"] == "secure", "rule")
    need(not witnesses or 2 * agreed > len(witnesses), "witnesses")
    told = "witnessed" if witnesses and agreed == len(witnesses) else "nameservers"
    need(said["assurance"] == ("dnssec" if said["dnssec"] == "secure" else told), "assurance")
    return told if is_proof else "nothing"

def check_token(said, kid):
    steps = [read_jws(one, "deed-key+jwt") for one in said.get("successions", [])] + [(kid, None)]
    for (_, step), (following, _) in zip(steps, steps[1:]):
        need(step.get("next") == following, "successions")
    made = {"holder": said["holderCommitment"], "key": steps[0][0], "name": said["challengeName"]}
    text = canonical({**made, "nonce": said["nonce"], "tag": "deed-token/1"})
    need(said["token"][-40:] == hashlib.sha256(text.encode()).hexdigest()[:40], "token")

def read_history(history, known):
    """The life of each key by its thumbprint."""
    try:
        kid, said = read_jws(history, "deed-keys+jwt")
        need(kid in known, "another's history")
        check_form(said, {"keys": list})
        for one in said["keys"]:
            check_form(one, {"kid": HASH, "from": MOMENT}, {"until": MOMENT, "compromisedSince": MOMENT})
        thefts = [one for one in said["keys"] if one["kid"] == kid and "compromisedSince" in one]
        return {one["kid"]: one for one in reversed(thefts or said["keys"])}
    except FAULTS:
        return {}

STAMP_ROOTS = json.load(open(pathlib.Path(__file__).parent / "../stamp-roots.json"))

def read_stamp(token, statement, roots):
    """The latest time that a stamp means, in milliseconds; None if openssl does not confirm it."""
    with tempfile.TemporaryDirectory() as folder:
        def openssl(*args):
            return subprocess.run(["openssl", "ts", *args, "-in", "token", "-token_in"], cwd=folder, capture_output=True, text=True)
        certificates = "".join(f"-----BEGIN CERTIFICATE-----\n{one}\n-----END CERTIFICATE-----\n" for one in roots)
        for name, octets in ("token", token), ("data", statement.encode()), ("roots", certificates.encode()):
            pathlib.Path(folder, name).write_bytes(octets)
        told = openssl("-reply", "-text").stdout
        made = re.search(r"Time stamp: (\w+ +\d+ [\d:]+)(\.\d+)? (\d+) GMT", told)
        if not made or len(token) > 16_384 or "Hash Algorithm: sha256" not in told:
            return None
        at = datetime.strptime(f"{made[1]} {made[3]} +0000", "%b %d %H:%M:%S %Y %z").timestamp()
        how = ("-attime", str(int(at)), "-auth_level", "1")
        if openssl("-verify", "-data", "data", "-CAfile", "roots", *how).returncode:
            return None
        units = {"seconds": 1_000, "millis": 1, "micros": 0.001}
        accuracy = sum(int(size, 16) * units[unit] for size, unit in re.findall(r"(0x\w+) (seconds|millis|micros)", told))
        return int(at * 1_000 + float(made[2] or 0) * 1_000 + accuracy + 1_000)

def check(file, keys=(), anchors=ROOT, require="nameservers", history=None, holder=None, stampRoots=()):
    """The verdict, what is shown, and why it is not good."""
    receipt = parse(file, parse_int=float)
    need(receipt["format"] == "deed-receipt/2", "format")
    kid, said = read_jws(receipt["statement"], "deed-proof+jwt")
    lives = read_history(history, keys)
    need(not keys or kid in keys or kid in lives, "another's key")
    shown, life, followed = check_statement(said), lives.get(kid, {}), None
    stamp, latest = receipt.get("stamp"), None
    if stamp is not None:
        check_form(stamp, {"token": str})
        latest = read_stamp(base64_of(stamp["token"]), receipt["statement"], [*STAMP_ROOTS.values(), *stampRoots])
    need(latest is None or moment(said["provedAt"]) <= latest, "proved after its stamp")
    theft, end = life.get("compromisedSince"), life.get("until", life.get("compromisedSince"))
    is_before = lambda when: latest is not None and latest < moment(when)
    need(not theft or is_before(theft), "compromised key")
    need("until" not in life or said["iat"] * 1_000 <= moment(life["until"]), "signed after the end of the key")
    if "nonce" in said:
        check_token(said, kid)
    given, name = receipt["dnssec"], parse_name(said["challengeName"])
    need((given is None) == (said["dnssec"] == "indeterminate"), "a chain too many or too few")
    if given is not None:
        check_form(given, {"chain": "[A-Za-z0-9+/=]*"})
        octets, (zone, ds) = decode(given["chain"], url=False), anchors_of(name, anchors)
        since = moment(said["claimedAt"]) // 1_000 - 86_400 if "claimedAt" in said else None
        if ds:
            followed = Chain(octets, moment(said["provedAt"]) // 1_000).follow(name, said["token"], zone, ds, since)
            need(followed == said["dnssec"], "the chain shows another thing")
    if holder:
        salt, address = decode(holder["opening"]), holder["address"].strip().lower().encode()
        need(len(salt) == 32 and encode(hashlib.sha256(salt + address).digest()) == said["holderCommitment"], "holder")
    shown = "dnssec" if followed == "secure" and "nonce" in said else shown
    lacks = {"no key was given": not keys, "the key has ended": end is not None and not is_before(end), "the chain shows nothing": not followed,
             "less is shown than was asked for": LEVELS.index(shown) < LEVELS.index(require)}
    why = [what for what, holds in lacks.items() if holds]
    return "weaker" if why else "good", shown, why

def judge(line):
    if "chain" in line:
        name = parse_name(line["name"])
        chain = Chain(base64.b64decode(line["chain"]), line["at"])
        return chain.follow(name, line["value"], *anchors_of(name, line["anchors"]), line.get("since")), ""
    verdict, shown, why = check(**{**line, "file": base64.b64decode(line["file"])})
    return f"{verdict} {shown}", ", ".join(why)

def main():
    sys.setrecursionlimit(10_000)
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("receipt", nargs="?")
    options.add_argument("--key", action="append", default=[])
    options.add_argument("--keys", help="file of a key set")
    options.add_argument("--require", choices=LEVELS[1:], default="nameservers")
    options.add_argument("--anchor", action="append")
    given = options.parse_args()
    lines = map(json.loads, sys.stdin)
    if given.receipt:
        history = json.load(open(given.keys)).get("deed:history") if given.keys else None
        lines = [{"file": base64.b64encode(open(given.receipt, "rb").read()), "keys": given.key, "history": history,
                  "anchors": given.anchor or ROOT, "require": given.require}]
    for line in lines:
        try:
            verdict, why = judge(line)
        except FAULTS as fault:
            verdict, why = "bad", fault
        print(f"{verdict} ({why})" if given.receipt and why else verdict)

main()
