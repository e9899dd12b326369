import * as z from "zod";
import { isReference, isVisible, MAX_REFERENCE, REFERENCE_RULE } from "#app/core/reference.ts";

export const Id = z.string().min(1);

export const NameInput = z
  .string()
  .meta({ minLength: 1, maxLength: 253, description: "A domain name, 1 to 253 characters" });

/** `parseAddress` refuses these too; the pattern shows this in the schema. */
export const EmailInput = z.string().meta({
  minLength: 5,
  maxLength: 254,
  pattern: "^[^@]+@[^@]+$",
  description: "An email address of at most 254 characters",
});

export const Reference = z
  .string()
  .refine(isReference, { error: REFERENCE_RULE })
  .meta({
    minLength: 1,
    maxLength: MAX_REFERENCE,
    description: `Your own id for the customer that the domain is for: ${REFERENCE_RULE}, compared exactly`,
  });

export const PageSize = z.int().min(1).max(100).default(25);
export const Cursor = z.string().min(1);

/** The query of a public address, to which mail and advertising tools append parameters. */
export const AnyQuery = z.object({});

export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `it may have at most ${maxLength} characters`)
    .refine(isVisible, "it may have only visible characters");

/** Text that is shown among our words must be readable, and stacked marks must not cover other lines. */
export const readableText = (maxLength: number) =>
  plainText(maxLength).regex(
    /^(?!.*\p{M}{5})(?=.*[\p{L}\p{N}])/u,
    "it needs a letter or digit, and no stacked marks",
  );
