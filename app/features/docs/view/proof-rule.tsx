import { Entry } from "#app/ui/page.tsx";

/**
 * The text of the rule `deed-proof/1`. It never changes, since receipts refer to it: what is decided otherwise is
 * another rule, with another text (proof-rule.test.tsx).
 */
export function ProofRule1() {
  return (
    <>
      <Entry title="What is looked for">
        <p>
          The domain is D, in ASCII form (A-labels). The record is of type TXT, at the challenge
          name: one label, a dot, and D. Its value is the token: a prefix and 40 hexadecimal digits,
          which the installation made at random for one claim of one account.
        </p>
        <p>
          A server has the token if it answers with authority (AA), with NOERROR, and if one TXT
          record at exactly the challenge name is the token, byte for byte, once the strings of the
          record are joined. Other TXT records there do not matter. CNAME and DNAME are not
          followed: a server that answers with one lacks the token.
        </p>
      </Entry>
      <Entry title="Who is asked">
        <ol>
          <li>
            The installation asks itself, from the root down. No resolver finds the way for it, and
            nothing is used from an earlier read.
          </li>
          <li>
            In the root and in zones of registries (at or above the domain’s public suffix in the
            ICANN section of the Public Suffix List) one server’s delegation is followed.
          </li>
          <li>
            From the first zone below on, all nameservers that the delegation names are asked, 32 at
            most, each at up to two of its addresses. An address counts as silent after two
            questions over UDP, with the letter case of the name mixed at random, and one over TCP,
            with its letters as given. An answer over UDP counts only if it repeats the mixed
            letters. An address that the installation has no way to, such as IPv6 without a route,
            counts as unanswered.
          </li>
          <li>
            A delegation further down counts only if all servers that answer show the same
            nameservers, at least half of the names answer, and one repeats it over TCP. A server
            that holds both zones shows it by its own answer to NS, or by a referral when asked for
            NS. Then all nameservers of that zone are asked.
          </li>
        </ol>
      </Entry>
      <Entry title="What must be found">
        <p>All of this in one read, and in two where a nameserver stayed unanswered:</p>
        <ol>
          <li>
            <strong>Nameservers.</strong> Every nameserver that answers has the token. At least half
            of the names in the delegation answer. None refers to other servers, and no server of a
            zone above answers for the challenge name without the token.
          </li>
          <li>
            <strong>TCP.</strong> Every server with the token is asked again over TCP. One answers
            with the token there, and none without it. Nor does a server that gave the token over
            TCP alone deny it over UDP when asked with the letters as given.
          </li>
          <li>
            <strong>The way there.</strong> Each delegation that was followed on one server’s word
            is repeated over TCP, with the same nameservers and the same addresses. For each
            nameserver whose address had to be looked up, up to three servers of its zone, and of
            the zones above it below the registry, all give that address, or the same delegation
            towards it. This holds for silent nameservers too.
          </li>
          <li>
            <strong>Witnesses.</strong> If the operator has configured resolvers as witnesses, more
            than half of them return the token. A witness that does not answer counts against. If
            none is configured, this is left out.
          </li>
          <li>
            <strong>The machines that witnesses use.</strong> If more than half of the witnesses
            list the same nameservers for the zone, and some of those names are not in the
            delegation, the addresses of these are looked up by a walk of the installation’s own,
            without glue; where only the servers in doubt could give them, as more than half of the
            witnesses return them. Each address has answered with the token already, or is asked now
            and answers with the token. At least half of the names on the list answer. If no such
            list exists, as where an alias at the apex hides the NS records, all witnesses return
            the token.
          </li>
          <li>
            <strong>DNSSEC.</strong> The installation validates the record from its trust anchors
            down. <q>Secure</q>, and <q>insecure</q> by a validated denial of the DS records, pass.
            <q>Bogus</q> never does; a fault counts once two servers show it, if two answer, and is
            no fault within an hour of the time of a signature. What could be neither validated nor
            shown to be unsigned passes only if more than half of the witnesses return the token as
            validated (AD), or if there is no trust anchor at the name or above it.
          </li>
          <li>
            <strong>Unanswered servers.</strong> If a nameserver of the zone, of a zone above it
            below the registry, or an address on the witnesses’ list stayed unanswered, and the
            record is not <q>secure</q>: there are witnesses, all of them return the token, and a
            second read, by new connections and at a random moment one to five minutes after the
            first, finds all of this again, with no read in between that finds anything else.
          </li>
        </ol>
      </Entry>
      <Entry title="When">
        <p>
          Up to the decision, a read sends 60 packets, and four more for each nameserver over 13; 60
          for the machines that witnesses use, and 20 for DNSSEC. It takes 20 seconds at most. It
          begins after the claim was opened and ends before the claim does. The proof is dated when
          the read ended, by the clock of the installation.
        </p>
      </Entry>
      <Entry title="What plays no part">
        <p>
          Parents, subdomains and other names. What was found in earlier reads, but for the first of
          two, and what DNS says later.
        </p>
      </Entry>
    </>
  );
}
