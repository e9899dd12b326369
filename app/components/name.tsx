/** A domain name as people write it, with its ASCII form beside it where the two differ. */
export function DomainName({ ascii, unicode }: { ascii: string; unicode: string }) {
  if (ascii === unicode) return <bdi>{ascii}</bdi>;
  return (
    <>
      <bdi>{unicode}</bdi> <span className="soft small mono">{ascii}</span>
    </>
  );
}
