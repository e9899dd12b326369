import ts from "typescript";
import { expect } from "vitest";

/** TypeScript's and Node's own types are parsed once per process, and not checked: that takes longer than all else. */
const GIVEN = /node_modules\/(?:typescript|@types\/node|undici-types)\//;
const given = new Map<string, ts.SourceFile | undefined>();

/** Compiles files as `tsc` does with these options of a tsconfig.json. Fails for an error in them or in what they import. */
export function compile(files: readonly string[], json: object): void {
  const { options, errors } = ts.convertCompilerOptionsFromJson(json, ".");
  options.skipLibCheck = false;
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, how, ...others) => {
    if (!GIVEN.test(name)) return getSourceFile(name, how, ...others);
    const key = JSON.stringify([name, how]);
    if (!given.has(key)) given.set(key, getSourceFile(name, how, ...others));
    return given.get(key);
  };
  const program = ts.createProgram(files, options, host);
  const own = program.getSourceFiles().filter(({ fileName }) => !GIVEN.test(fileName));
  const found = [errors, program.getOptionsDiagnostics(), program.getGlobalDiagnostics()];
  for (const one of own) {
    found.push(program.getSyntacticDiagnostics(one), program.getSemanticDiagnostics(one));
    // Without a file, this would check all.
    if (!one.isDeclarationFile) found.push(program.emit(one).diagnostics);
  }
  expect(ts.formatDiagnostics(found.flat(), host)).toBe("");
}
