import * as z from "zod";
import { isReference, isVisible, MAX_REFERENCE, REFERENCE_RULE } from "#app/core/reference.ts";

/** Path and query parameters shared by several endpoints. */

export const Id = z.string().min(1);

/** A name as typed. The service validates it and reports `invalid_domain`. */
export const NameInput = z
  .string()
  .meta({ minLength: 1, maxLength: 253, description: "A domain name, 1 to 253 characters" });

/** An account's own id of whom a domain is for. */
export const Reference = z
  .string()
  .refine(isReference, { error: REFERENCE_RULE })
  .meta({
    minLength: 1,
    maxLength: MAX_REFERENCE,
    description: `Your own id of whom the domain is for: ${REFERENCE_RULE}, compared exactly`,
  });

export const PageSize = z.int().min(1).max(100).default(25);
export const Cursor = z.string().min(1);

/** For a public address: mail and advertising tools append query parameters to shared links. */
export const AnyQuery = z.object({});

/** A short text that people read beside ours, such as the name of a key. */
export const shownText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `at most ${maxLength} characters`)
    .refine(isVisible, "only characters that can be seen");

/** The same where it stands among our words: it says something, and no pile of marks covers other lines. */
export const shownWords = (maxLength: number) =>
  shownText(maxLength).regex(
    /^(?!.*\p{M}{5})(?=.*[\p{L}\p{N}])/u,
    "a line of text with a letter or digit",
  );
