/**
 * A domain name in Unicode, with its labels always left to right (RFC 3987 section 4.1), and its ASCII form if the two
 * differ.
 */
export function DomainName({ ascii, unicode }: { ascii: string; unicode: string }) {
  if (ascii === unicode) return <bdi dir="ltr">{ascii}</bdi>;
  return (
    <>
      <bdi dir="ltr">{unicode}</bdi> <span className="soft small mono">{ascii}</span>
    </>
  );
}
