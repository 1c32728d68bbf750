import { externalError, inputError, internalError, stateError, type ThrownToolError } from "@fettle/contract";
import { renderProblems } from "@fettle/schema";
import { mcpCodes } from "../mcpCodes.js";
import type { AnswerProblem } from "./checkAnswer.js";
import { NO_RESPONSE } from "./unsoundAnswer.js";

/** What is wrong with the answer to one question. */
export interface BadAnswer {
  readonly key: string;
  readonly problem: AnswerProblem;
}

/** Answers that don't fit their questions, each fault with its place. */
export function badAnswers(faults: readonly BadAnswer[], fix: string): ThrownToolError {
  const problems = faults.map(({ key, problem }) => ({ message: `${key}: ${problem.message}` }));
  return inputError(mcpCodes.code("bad-answer"), {
    what: renderProblems(problems, { heading: faults.length === 1 ? "An answer doesn't fit its question:" : "Answers don't fit their questions:" }),
    fix,
    details: { problems: faults.slice(0, 20).map(({ key, problem }) => ({ question: key, field: problem.field, message: problem.message.slice(0, 400) })) },
  });
}

export function cannotAsk(subject: string, key: string, capability: string): ThrownToolError {
  return stateError(mcpCodes.code("cannot-ask"), {
    what: `${subject} needs an answer (${key}), and this client can't be asked: it declared no ${capability} capability.`,
    fix: "Do it with a client that can ask its user, or by other arguments that need no answer, if there are such.",
    details: { question: key, capability },
  });
}

export function unanswered(subject: string, keys: readonly string[], ms: number): ThrownToolError {
  return stateError(mcpCodes.code("unanswered"), {
    what: `${subject} asked (${keys.join(", ")}), and no answer came within ${Math.round(ms / 100) / 10} s.`,
    fix: "Call again when somebody is there to answer.",
    details: { questions: keys, timeout_ms: ms },
    retry: true,
  });
}

/** @param message the client's own words: they go back to it, and nowhere else */
export function questionRefused(subject: string, key: string, code: number | undefined, message: string): ThrownToolError {
  return externalError(mcpCodes.code("question-refused"), {
    what: `${subject} asked (${key}), and the client answered with an error${code === undefined ? "" : ` (${code})`}: ${plainText(message)}`,
    fix: "Tell the user; call again once the client can answer.",
    details: { question: key, ...(code !== undefined && { code }) },
  });
}

/** What the client sent for an answer is none that JSON-RPC knows. */
export function noAnswer(subject: string, key: string): ThrownToolError {
  return externalError(mcpCodes.code("question-refused"), {
    what: `${subject} asked (${key}), and what the client sent was no answer. ${NO_RESPONSE}`,
    fix: "Tell the user; call again with a client that can answer.",
    details: { question: key },
  });
}

/** A text in one line, without what a terminal or a model could take for more than text. */
function plainText(text: string): string {
  return text
    .slice(0, 400)
    .replace(/\s+/g, " ")
    .replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .slice(0, 200);
}

export function tooManyRounds(subject: string, rounds: number): ThrownToolError {
  return internalError(mcpCodes.code("too-many-rounds"), {
    what: `${subject} asked ${rounds} times without coming to an end. This is a fault of the server, not of the answers.`,
    fix: "Tell whoever keeps this server.",
  });
}

/** A prompt or resource that gave what JSON can't carry: without this its client would wait for ever. */
export function unsendable(subject: string, path: string, problem: string, id: string): ThrownToolError {
  return internalError(mcpCodes.code("unsound-content"), {
    what: `${subject} gave something that can't be sent: at ${path}, ${problem}. This is a fault of the server, not of the request.`,
    fix: `Tell whoever keeps this server the call id ${id}: the log has the details.`,
    details: { path, call_id: id },
  });
}

export function badQuestion(subject: string, path: string, problem: string): ThrownToolError {
  return internalError(mcpCodes.code("bad-question"), {
    what: `${subject} asked something that can't be asked: at ${path}, ${problem}. This is a fault of the server, not of the request.`,
    fix: "Tell whoever keeps this server.",
    details: { path },
  });
}
