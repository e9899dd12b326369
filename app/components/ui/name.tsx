/**
 * A domain name as people write it, its labels always from left to right (RFC 3987 section 4.1), with
 * its ASCII form beside it where the two differ.
 */
export function DomainName({ ascii, unicode }: { ascii: string; unicode: string }) {
  if (ascii === unicode) return <bdi dir="ltr">{ascii}</bdi>;
  return (
    <>
      <bdi dir="ltr">{unicode}</bdi> <span className="soft small mono">{ascii}</span>
    </>
  );
}
