import { Entry } from "../ui/page.tsx";

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
            From the first zone below on, all nameservers that the delegation names are asked, 13 at
            most, each at up to two of its addresses.
          </li>
          <li>
            A delegation further down counts only if all servers that answer show the same
            nameservers, at least half of the names answer, and one repeats it over TCP. A server
            that holds both zones shows it by its own answer to NS. Then all nameservers of that
            zone are asked.
          </li>
        </ol>
      </Entry>
      <Entry title="What must be found">
        <p>All of this in one read:</p>
        <ol>
          <li>
            <strong>Nameservers.</strong> Every nameserver that answers has the token. At least half
            of the names in the delegation answer. None refers to other servers, and no server of a
            zone above answers for the challenge name without the token. None was left out because
            of a limit of the installation.
          </li>
          <li>
            <strong>TCP.</strong> Of the servers with the token, the first that answers over TCP
            gives the token again.
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
            than half of them return the token, and more than half of them know at least one of the
            nameservers that the read found. A witness that does not answer counts against. If none
            is configured, this is left out.
          </li>
        </ol>
      </Entry>
      <Entry title="When">
        <p>
          Up to the decision, a read sends 60 packets and takes 10 seconds at most. It begins after
          the claim was opened and ends before the claim does. The proof is dated when the read
          ended, by the clock of the installation.
        </p>
      </Entry>
      <Entry title="What plays no part">
        <p>
          The installation’s own validation by DNSSEC: it is stated beside the proof, in the
          receipt, and decides nothing. Parents, subdomains and other names. What was found in
          earlier reads, and what DNS says later.
        </p>
      </Entry>
    </>
  );
}
