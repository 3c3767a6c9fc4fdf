public import TarmacJSON

/// The common structure of a service's responses: the condition of success, and the paths of code, message and
/// payload.
///
/// ```swift
/// $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data",
///                        expired: [40101], retryable: [50003])
/// ```
/// A path is a list of member names, separated by dots: `"result.data"`. The condition is evaluated once for
/// each response. The envelope does not apply to responses that are not JSON.
public struct Envelope: Sendable, CustomStringConvertible {
    private let condition: (@Sendable (JSON) -> Bool)?
    private let codePath: [String]
    private let messagePath: [String]
    private let payloadPath: [String]
    /// The codes that mean that the credentials have expired.
    public let expired: Set<Int>
    /// The codes that mean that the call may be tried again.
    public let retryable: Set<Int>

    /// No envelope.
    public static let none = Envelope(condition: nil, code: "", message: "", payload: "", expired: [], retryable: [])

    /// Makes an envelope.
    ///
    /// - Parameters:
    ///   - success: returns whether a response is a success.
    ///   - code: the path of the server's code. Default: none.
    ///   - message: the path of the message for the user. Default: none.
    ///   - payload: the path of the value. Default: the whole response.
    ///   - expired: the codes that mean that the credentials have expired. Default: none.
    ///   - retryable: the codes that mean that the call may be tried again. Default: none.
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

    /// Returns the code as text, for a number or a string.
    func code(in json: JSON) -> String? {
        guard !codePath.isEmpty, let code = json.value(at: codePath) else { return nil }
        return code.string ?? code.int.map(String.init)
    }

    func message(in json: JSON) -> String? {
        messagePath.isEmpty ? nil : json.value(at: messagePath)?.string?.unlessBlank
    }

    /// The path of the payload for errors, such as `$.result.data`.
    var payloadRoot: String { Self.text(payloadPath) }
    /// The path of the code for errors, or `nil` if there is none.
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
