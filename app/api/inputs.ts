import * as z from "zod";

/** Path and query parameters that more than one endpoint takes. */

export const Id = z.string().min(1);

/** A name as a person types it. What is wrong with one, the service says itself: `invalid_domain`. */
export const NameInput = z
  .string()
  .meta({ minLength: 1, maxLength: 253, description: "A domain name, 1 to 253 characters" });

export const PageSize = z.int().min(1).max(100).default(25);
export const Cursor = z.string().min(1);

/** For a public address: whoever shares it may add to its query, as mail and advertising do. */
export const AnyQuery = z.object({});
