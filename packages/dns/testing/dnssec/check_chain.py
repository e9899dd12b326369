"""Checks a chain by dnspython alone: `check_chain.py`, with JSON lines of {name, value, at, anchors, chain} on standard
input, a chain in base64, anchors as lines of a zone file. Prints "secure" or what is wrong, one line for each.
Knows neither wildcards nor denials: a chain that needs one is "not exact"."""

import base64
import json
import struct
import sys

import dns.dnssec
import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.rrset

DIGESTS = {2: "SHA256", 4: "SHA384"}


def rrsets(chain):
    """The RRsets in order, each with the RRset of its signature."""
    at = 0
    found = {}
    while at < len(chain):
        name, used = dns.name.from_wire(chain, at)
        at += used
        kind, rdclass, ttl, length = struct.unpack("!HHIH", chain[at : at + 10])
        at += 10
        rdata = dns.rdata.from_wire(rdclass, kind, chain, at, length)
        at += length
        covers = rdata.type_covered if kind == dns.rdatatype.RRSIG else kind
        pair = found.setdefault((name, covers), {})
        pair.setdefault(kind, dns.rrset.RRset(name, rdclass, kind)).add(rdata, ttl)
    return [(name, kind, pair[kind], pair[dns.rdatatype.RRSIG]) for (name, kind), pair in found.items()]


def check(name, value, at, anchors, chain):
    target = dns.name.from_text(name)
    trusted = [dns.rdata.from_text("IN", "DS", line.split(" DS ")[1]) for line in anchors]
    zone = dns.name.root
    keys = {}
    for owner, kind, records, signature in rrsets(base64.b64decode(chain)):
        if kind == dns.rdatatype.DNSKEY:
            entry = dns.rrset.RRset(owner, dns.rdataclass.IN, kind)
            for key in records:
                for ds in trusted:
                    digest = DIGESTS.get(int(ds.digest_type))
                    if digest and dns.dnssec.make_ds(owner, key, digest) == ds:
                        entry.add(key, 0)
            dns.dnssec.validate(records, signature, {owner: entry}, None, at)
            zone, keys = owner, {owner: records}
        elif kind in (dns.rdatatype.DS, dns.rdatatype.TXT):
            if signature[0].labels != len(owner.labels) - 1:
                return "not exact"
            dns.dnssec.validate(records, signature, keys, None, at)
            if kind == dns.rdatatype.TXT:
                texts = [b"".join(record.strings).decode() for record in records]
                return "secure" if owner == target and value in texts else "another record"
            trusted = list(records)
    return "no record"


for line in sys.stdin:
    try:
        print(check(**json.loads(line)))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
