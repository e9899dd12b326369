const splitsSurrogatePair = (text: string, at: number) =>
  /^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/**
 * Two texts as their common start, the differing middle of each, and their common end: the longest common start first,
 * then the end.
 */
export function difference(found: string, expected: string) {
  const shorter = Math.min(found.length, expected.length);
  let start = 0;
  while (start < shorter && found[start] === expected[start]) start++;
  if (splitsSurrogatePair(found, start) || splitsSurrogatePair(expected, start)) start--;
  let end = 0;
  while (
    end < shorter - start &&
    found[found.length - 1 - end] === expected[expected.length - 1 - end]
  )
    end++;
  if (splitsSurrogatePair(found, found.length - end)) end--;
  return {
    start: found.slice(0, start),
    found: found.slice(start, found.length - end),
    expected: expected.slice(start, expected.length - end),
    end: found.slice(found.length - end),
  };
}
