/** A name of at least two labels, a label with an underscore in front, or a token. */
const DNS = /((?:[\w*-]+\.)+[\w-]*\w|\b_[\w-]*\w|service_v1_\w+)/;

/** A sentence with what is DNS in it set in the typeface of DNS. */
export function DnsText({ text }: { text: string }) {
  return text.split(DNS).map((part, index) =>
    // Split by one group, every second part is a match.
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other order
      <code key={index}>
        <bdi>{part}</bdi>
      </code>
    ) : (
      part
    ),
  );
}
