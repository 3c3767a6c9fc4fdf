public import TarmacJSON
import TarmacMasking

/// The common structure of a service's responses: the condition of success, and the paths of code, message and
/// payload.
///
/// ```swift
/// $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data",
///                        expired: [40101, "A0230"], retryable: [50003])
/// ```
/// A path is a list of member names, separated by dots, with positions in arrays in brackets: `"result.data"`,
/// `"errors[0].message"`. The condition is evaluated once for each response. The envelope does not apply to responses
/// that are not JSON. Where the value is text or bytes, it applies to JSON with a code at the path of the code.
public struct Envelope: Sendable, CustomStringConvertible {
    private let condition: (@Sendable (JSON) -> Bool)?
    private let codePath, messagePath, payloadPath: JSONPath
    /// The codes that mean that the credentials have expired.
    package let expired: Set<Code>
    /// The codes that mean that the call may be tried again.
    package let retryable: Set<Code>

    /// No envelope.
    public static let off = Envelope()

    /// Makes an envelope.
    ///
    /// Without a condition, only the status decides, and the paths apply: `Envelope(message: "errors[0].text")` says where a
    /// service puts the message of a failure.
    ///
    /// - Parameters:
    ///   - success: returns whether a response is a success. Default: every response with an acceptable status is one.
    ///   - code: the path of the server's code. Default: none.
    ///   - message: the path of the message for the user. Without one, or if nothing is there, the message is looked for where
    ///     servers commonly put it; see ``TarmacError/serverMessage``.
    ///   - payload: the path of the value. Default: the whole response.
    ///   - expired: the codes that mean that the credentials have expired. Default: none.
    ///   - retryable: the codes that mean that the call may be tried again. Default: none.
    public init(
        success: (@Sendable (JSON) -> Bool)? = nil, code: String = "", message: String = "", payload: String = "",
        expired: Set<Code> = [], retryable: Set<Code> = []
    ) {
        condition = success
        (codePath, messagePath, payloadPath) = (JSONPath(dotted: code), JSONPath(dotted: message), JSONPath(dotted: payload))
        self.expired = expired
        self.retryable = retryable
    }

    /// Whether responses are checked.
    package var hasCondition: Bool { condition != nil }
    /// Whether the whole response is the payload.
    var isOpen: Bool { payloadPath.components.isEmpty }

    package func isSuccess(_ json: JSON) -> Bool { condition?(json) ?? true }

    /// Returns the code as text, for a number or a string.
    package func code(in json: JSON) -> String? {
        guard !codePath.components.isEmpty else { return nil }
        let code = json[codePath]
        return code.string ?? code.int.map(String.init)
    }

    /// The places in which servers put a message: those of RFC 9457 §3.1 first in a body that says so, then common ones and
    /// those of RFC 6749 §5.2 and JSON:API.
    private static let problemPaths = ["detail", "title"].map(JSONPath.init(dotted:))
    private static let commonPaths = [
        "message", "msg", "detail", "error.message", "error_description", "errors[0].message", "errors[0].detail", "errors[0]",
    ].map(JSONPath.init(dotted:))

    /// Returns the server's message for a user: the first one that is a sentence.
    package func message(in json: JSON, isProblem: Bool = false) -> String? {
        let paths = (messagePath.components.isEmpty ? [] : [messagePath]) + (isProblem ? Self.problemPaths : []) + Self.commonPaths
        return paths.lazy.compactMap { json[$0].string.flatMap(ServerSentence.of) }.first
    }

    /// The path of the payload for errors, such as `$.result.data`.
    var payloadRoot: String { payloadPath.description }
    /// The path of the code for errors, or `nil` if there is none.
    package var codeRoot: String? { codePath.components.isEmpty ? nil : codePath.description }

    package func payload(in json: JSON) throws(TarmacError) -> JSON {
        let payload = json[payloadPath]
        guard !payload.isMissing else {
            throw TarmacError(
                .decodingFailed, phase: .decoding, "the answer has no payload where the envelope says it is",
                path: payloadRoot)
        }
        return payload
    }

    public var description: String {
        !hasCondition && isOpen ? "none" : "payload \(isOpen ? "the whole answer" : String(payloadRoot.dropFirst(2)))"
    }
}
