#if Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs the parameters of a call, as many platforms require: sorted by name, joined, and digested with a secret into a
/// parameter.
///
/// ```swift
/// // sign = MD5("a=1&b=2&nonce=…&timestamp=…&key=SECRET"), in capitals
/// options.parameterTransforms = [
///     ParameterSignature(.insecureMD5, secret: secret) {
///         $0.secretPlacement = .after("&key=")
///         $0.isUpperCase = true
///         $0.timestamp = "timestamp"
///         $0.nonce = "nonce"
///     }
/// ]
/// ```
/// It signs before the encoding, and again for every request that is sent. Strings are signed as they are, without
/// percent-encoding; numbers and booleans as in JSON; objects and arrays as JSON without spaces. A null is left out, as
/// the query leaves it out. Append the transform after every other that changes parameters.
///
/// - Warning: A server that computes the signature from the received parameters must receive the signed ones. That is
///   the case in JSON, and in a query or form of plain values with the default ``Options/query``. If ``Options/query``
///   writes booleans, nulls or dates differently, set ``numericBooleans``, ``nils`` and ``dates``. It is **not** the case for
///   arrays and objects in a query or form (signed as JSON, sent in the style of the query), or with a custom
///   `BodyEncoder` that renames keys or writes numbers and data differently. Pass such a parameter as the text that is
///   sent, or exclude it from the signature.
public struct ParameterSignature: ParameterTransform {
    /// The algorithm of the digest.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// MD5 of text and secret (RFC 1321). It is broken: use it only for platforms that support nothing else.
        case insecureMD5
        /// SHA-256 of text and secret. If the secret is only in front, an attacker can extend the signed text.
        case sha256
        /// HMAC-SHA256 of the text with the secret as the key (RFC 2104). Prefer this one.
        case hmacSHA256
    }

    /// The place of the secret. For HMAC it is the key, and by default is nowhere else.
    public enum SecretPlacement: Sendable, Hashable {
        /// Not in the text. Only for HMAC.
        case keyOnly
        /// After the text and this joiner, such as `&key=`.
        case after(String)
        /// Before this joiner and the text.
        case before(String)
        /// Before and after the text.
        case around
    }

    /// The encoding of the digest.
    public enum Encoding: Sendable, Hashable { case hexadecimal, base64 }

    /// The unit of the time.
    public enum TimestampUnit: Sendable, Hashable { case seconds, milliseconds }

    /// `true`: the transform does not change the meaning of the call.
    public var onlyProtects: Bool { true }

    private let algorithm: Algorithm
    private let secret: SecretKey
    private let nonces: NonceSource

    /// The parameter that holds the signature. Default: `sign`.
    public var name = "sign"
    /// The text between name and value. Default: `=`.
    public var assignment = "="
    /// The text between two parameters. Default: `&`.
    public var separator = "&"
    /// The place of the secret. Default: ``SecretPlacement/keyOnly`` for HMAC, otherwise after the text without a
    /// joiner.
    public var secretPlacement: SecretPlacement
    /// The parameter that holds the time, which is signed too. Default: none.
    public var timestamp: String?
    /// The unit of the time. Default: seconds since 1970.
    public var timestampUnit = TimestampUnit.seconds
    /// The parameter that holds 16 random bytes in hexadecimal, which is signed too. Default: none.
    public var nonce: String?
    /// The encoding of the digest. Default: hexadecimal.
    public var encoding = Encoding.hexadecimal
    /// Whether hexadecimal digits are in upper case. Default: `false`.
    public var isUpperCase = false
    /// Whether parameters with an empty text are excluded from the signature. Default: `false`.
    public var omitsEmpty = false
    /// The parameters that are not signed, besides those in header fields. Default: none.
    public var excluded: Set<String> = []
    /// The format of dates, which must be that of the query or body. Default: ISO 8601.
    public var dates = ParameterDateStrategy.iso8601
    /// Whether booleans outside arrays and objects are `1` and `0`, which must be as in the query. Default: `false`.
    public var numericBooleans = false
    /// The handling of nulls, which must be that of the query. Default: omitted.
    public var nils = QueryEncoder.Nils.omitted

    public init(_ algorithm: Algorithm, secret: SecretKey, configure: (inout ParameterSignature) -> Void = { _ in }) {
        self.init(algorithm, secret: secret, nonces: .system, configure: configure)
    }

    package init(_ algorithm: Algorithm, secret: SecretKey, nonces: NonceSource, configure: (inout ParameterSignature) -> Void = { _ in }) {
        self.algorithm = algorithm
        self.secret = secret
        self.nonces = nonces
        secretPlacement = algorithm == .hmacSHA256 ? .keyOnly : .after("")
        configure(&self)
    }

    public func transform(_ parameters: ParameterList, for request: ParameterTarget) throws(TarmacError) -> ParameterList {
        guard algorithm == .hmacSHA256 || secretPlacement != .keyOnly else {
            throw TarmacError(.invalidOption, "the parameter signature \(name) uses its secret nowhere", suggestion: "set secretPlacement")
        }
        guard secret.byteCount > 0 else { throw .emptyKey("of the parameter signature \(name)") }
        try parameters.validate()
        var list = parameters
        if let timestamp { list[timestamp] = .int(time(request.date)) }
        if let nonce { list[nonce] = .string(nonces.text(bytes: 16)) }
        list.remove(name)
        list.append(Parameter(name, .string(written(digest(try text(of: list)))), isSecret: true))
        return list
    }

    private func time(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970
        return Int64((timestampUnit == .seconds ? seconds : seconds * 1_000).rounded(.down))
    }

    /// Returns the signed text, without the secret.
    func text(of list: ParameterList) throws(TarmacError) -> String {
        var pairs: [String] = []
        for parameter in list.sorted() where parameter.placement != .header && parameter.name != name && !excluded.contains(parameter.name) {
            if let pair = try pair(parameter) { pairs.append(pair) }
        }
        return pairs.joined(separator: separator)
    }

    private func pair(_ parameter: Parameter) throws(TarmacError) -> String? {
        let text: String
        switch parameter.value {
        case .null where nils == .omitted: return nil
        case .null where nils == .keyOnly: return omitsEmpty ? nil : parameter.name
        case .bool(let value) where numericBooleans: text = value ? "1" : "0"
        default: text = try CanonicalText.text(parameter.value, dates: dates) ?? ""
        }
        return omitsEmpty && text.isEmpty ? nil : parameter.name + assignment + text
    }

    private func digest(_ text: String) -> [UInt8] {
        let text = Array(text.utf8), key = secret.withUnsafeBytes { Array($0) }
        let whole =
            switch secretPlacement {
            case .keyOnly: text
            case .after(let joiner): text + Array(joiner.utf8) + key
            case .before(let joiner): key + Array(joiner.utf8) + text
            case .around: key + text + key
            }
        return algorithm.digest(whole, secret)
    }

    private func written(_ digest: [UInt8]) -> String {
        switch encoding {
        case .base64: Data(digest).base64EncodedString()
        case .hexadecimal: isUpperCase ? digest.hex.uppercased() : digest.hex
        }
    }
}

extension ParameterSignature: MaskedReflectable {
    /// The algorithm and the parameter.
    public var description: String { "ParameterSignature \(name), \(algorithm)" }
}
#endif
