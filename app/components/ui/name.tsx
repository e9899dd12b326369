import { Fragment } from "react";

/** Text with names in it, which a narrow column breaks after their dots. A longer label still breaks anywhere. */
export function Dotted({ name }: { name: string }) {
  const labels = name.split(".");
  return labels.map((label, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: labels repeat, and never move
    <Fragment key={index}>
      {label}
      {index < labels.length - 1 ? (
        <>
          .<wbr />
        </>
      ) : null}
    </Fragment>
  ));
}

/**
 * A domain name in Unicode, with its labels always left to right (RFC 3987 section 4.1), and its ASCII form if the two
 * differ.
 */
export function DomainName({ ascii, unicode }: { ascii: string; unicode: string }) {
  const isSame = ascii === unicode;
  return (
    <>
      <bdi dir="ltr" className="name">
        <Dotted name={unicode} />
      </bdi>
      {isSame ? null : (
        <>
          {" "}
          <span className="soft small mono name">
            <Dotted name={ascii} />
          </span>
        </>
      )}
    </>
  );
}
