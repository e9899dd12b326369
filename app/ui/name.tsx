import { Fragment, type ReactNode } from "react";
import { Link } from "#app/remix/react.ts";

/** A label with a hyphen would break there, as a word does. It stays whole, or if long breaks anywhere. */
const breakOf = (label: string) => (label.length > 24 ? "anywhere" : "whole");

/** After dots, slashes and @, and the underscores of a setting: a random value may have a capital and an underscore too. */
const BREAKS = /(?<=[./@])|(?<=^[A-Z_]+_)(?=[A-Z_]+(?:=|$))/;

/** A name or path that breaks at `breaks` in a narrow column. A longer label breaks anywhere. */
export function Dotted({ name, breaks = BREAKS }: { name: string; breaks?: RegExp }) {
  const labels = name.split(breaks);
  return labels.map((label, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: labels repeat, and never move
    <Fragment key={index}>
      {label.includes("-") ? <span className={breakOf(label)}>{label}</span> : label}
      {index < labels.length - 1 ? <wbr /> : null}
    </Fragment>
  ));
}

/** The account's own id for the customer of a domain, with a link to all of the customer's domains. */
export const Reference = ({ reference }: { reference: string | null | undefined }) =>
  reference ? (
    <>
      {" "}
      <span className="small">
        <span className="soft">for</span>{" "}
        <Link to={`/domains?${new URLSearchParams({ reference })}`}>
          <bdi className="name">{reference}</bdi>
        </Link>
      </span>
    </>
  ) : null;

type DomainNameProps = Record<"ascii" | "unicode", string> & {
  isOneLine?: boolean;
  reference?: string | null;
};

/** A name in Unicode, its labels always left to right (RFC 3987 section 4.1), in ASCII if different, and whose it is. */
export function DomainName({ ascii, unicode, isOneLine = false, reference }: DomainNameProps) {
  const isSame = ascii === unicode;
  return (
    <>
      <bdi dir="ltr" className="name">
        {isOneLine ? unicode : <Dotted name={unicode} />}
      </bdi>
      {isSame ? null : (
        <>
          {" "}
          <span className="soft small mono name">
            {isOneLine ? ascii : <Dotted name={ascii} />}
          </span>
        </>
      )}
      <Reference reference={reference} />
    </>
  );
}

type Draw = (part: string) => ReactNode;

/** Text in which `draw` draws the matches of `pattern`'s only group, and `rest` what is between them. */
export const drawMatches = (text: string, pattern: RegExp, draw: Draw, rest: Draw = String) =>
  text.split(pattern).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other order
    <Fragment key={index}>{index % 2 === 1 ? draw(part) : rest(part)}</Fragment>
  ));

/** A name of at least two labels, with its escapes; a label that starts with an underscore; or a token. */
const DNS_NAME_OR_TOKEN = /((?:[\w*@\\-]+\.)+[\w-]*\w|\b_[\w-]*\w|service_v1_\w+)/;

export const DnsText = ({ text }: { text: string }) =>
  drawMatches(text, DNS_NAME_OR_TOKEN, (name) => (
    <code>
      <bdi>{name.includes("-") ? <Dotted name={name} /> : name}</bdi>
    </code>
  ));
