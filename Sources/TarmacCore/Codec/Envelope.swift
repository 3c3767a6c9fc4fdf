public import TarmacJSON

/// What a service wraps its answers in: the condition of success, and where code, message and payload stand (QSP-29).
///
/// ```swift
/// $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data",
///                        expired: [40101], retryable: [50003])
/// ```
/// A path names members with dots between: `"result.data"`. The condition is judged once for each response. Answers
/// that are no JSON skip the envelope.
public struct Envelope: Sendable, CustomStringConvertible {
    private let condition: (@Sendable (JSON) -> Bool)?
    private let codePath: [String]
    private let messagePath: [String]
    private let payloadPath: [String]
    /// Codes that say the credentials have expired.
    public let expired: Set<Int>
    /// Codes that say the call may be tried again.
    public let retryable: Set<Int>

    /// No envelope.
    public static let none = Envelope(condition: nil, code: "", message: "", payload: "", expired: [], retryable: [])

    /// - Parameters:
    ///   - success: whether an answer is a success.
    ///   - code: where the server's code stands. Default: nowhere.
    ///   - message: where the message for the user stands. Default: nowhere.
    ///   - payload: where the value stands. Default: the whole answer.
    public init(
        success: @escaping @Sendable (JSON) -> Bool, code: String = "", message: String = "", payload: String = "",
        expired: Set<Int> = [], retryable: Set<Int> = []
    ) {
        self.init(condition: success, code: code, message: message, payload: payload, expired: expired, retryable: retryable)
    }

    private init(
        condition: (@Sendable (JSON) -> Bool)?, code: String, message: String, payload: String, expired: Set<Int>,
        retryable: Set<Int>
    ) {
        self.condition = condition
        codePath = code.split(separator: ".").map(String.init)
        messagePath = message.split(separator: ".").map(String.init)
        payloadPath = payload.split(separator: ".").map(String.init)
        self.expired = expired
        self.retryable = retryable
    }

    var isNone: Bool { condition == nil }

    func isSuccess(_ json: JSON) -> Bool { condition?(json) ?? true }

    /// The code as text, be it a number or a string.
    func code(in json: JSON) -> String? {
        guard !codePath.isEmpty, let code = json.value(at: codePath) else { return nil }
        return code.string ?? code.int.map(String.init)
    }

    func message(in json: JSON) -> String? {
        messagePath.isEmpty ? nil : json.value(at: messagePath)?.string?.unlessBlank
    }

    /// Where the payload stands, for errors: `$.result.data`.
    var payloadRoot: String { Self.text(payloadPath) }
    /// Where the code stands, for errors; `nil` when it stands nowhere.
    var codeRoot: String? { codePath.isEmpty ? nil : Self.text(codePath) }

    private static func text(_ path: [String]) -> String { path.reduce("$") { "\($0).\($1)" } }

    func payload(in json: JSON) throws(TarmacError) -> JSON {
        if payloadPath.isEmpty { return json }
        guard let payload = json.value(at: payloadPath) else {
            throw TarmacError(
                .decodingFailed, phase: .decoding, "the answer has no payload where the envelope says it is",
                path: payloadRoot)
        }
        return payload
    }

    public var description: String {
        isNone ? "none" : "payload \(payloadPath.isEmpty ? "the whole answer" : payloadPath.joined(separator: "."))"
    }
}

extension JSON {
    fileprivate func value(at path: [String]) -> JSON? {
        var current = self
        for name in path {
            current = current[name]
            if current.isMissing { return nil }
        }
        return current
    }
}
