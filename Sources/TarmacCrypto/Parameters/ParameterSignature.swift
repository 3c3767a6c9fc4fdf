#if Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs the parameters of a call: sorted by name, joined, together with a secret, digested into a parameter of its own
/// (XF-11), as many open platforms want it.
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
/// It signs before encoding, anew for every request that is sent. Strings are taken as they are, without
/// percent-encoding; numbers and booleans as JSON writes them; objects and arrays as JSON without spaces; a null is left
/// out, as the query leaves it out. Append it after every transform that changes parameters.
///
/// - Warning: A server that computes the signature from what it receives has to receive what was signed. It does where a
///   query or form of plain values has ``Options/query`` as it is by default, and in JSON. Where ``Options/query`` writes
///   booleans, nulls or dates otherwise, say so in ``booleans``, ``nils`` and ``dates``. It does **not** with arrays and objects
///   in a query or form (signed as JSON, sent in the style of the query), and with a `BodyEncoder` of one's own that renames
///   keys or writes numbers and data in its way. Give such a parameter as the text that is sent, or leave it out of the
///   signature.
public struct ParameterSignature: ParameterTransform {
    /// How the text is digested.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// MD5 of text and secret (RFC 1321). Broken: only for platforms that know nothing else.
        case insecureMD5
        /// SHA-256 of text and secret. An attacker may lengthen what is signed where the secret goes before alone.
        case sha256
        /// HMAC-SHA256 of the text with the secret as its key (RFC 2104): the one to take.
        case hmacSHA256
    }

    /// Where the secret goes; for HMAC it is the key and goes nowhere else, unless said otherwise.
    public enum SecretPlacement: Sendable, Hashable {
        /// Into the text nowhere. For HMAC alone.
        case keyOnly
        /// Behind the text and this joiner, such as `&key=`.
        case after(String)
        /// Before the text, with this joiner between.
        case before(String)
        /// Before and behind the text.
        case around
    }

    /// How the digest is written.
    public enum Encoding: Sendable, Hashable { case hexadecimal, base64 }

    /// How a time is written.
    public enum TimestampUnit: Sendable, Hashable { case seconds, milliseconds }

    /// `true`: what is asked stays the same.
    public var onlyProtects: Bool { true }

    private let algorithm: Algorithm
    private let secret: SecretKey
    private let nonces: NonceSource

    /// The parameter that carries the signature. Default `sign`.
    public var name = "sign"
    /// Between name and value. Default `=`.
    public var assignment = "="
    /// Between two parameters. Default `&`.
    public var separator = "&"
    /// Where the secret goes. Default: for HMAC ``SecretPlacement/keyOnly``, else behind the text without a joiner.
    public var secretPlacement: SecretPlacement
    /// The parameter that carries the time; part of what is signed. Default: none.
    public var timestamp: String?
    /// How the time is written. Default: seconds since 1970.
    public var timestampUnit = TimestampUnit.seconds
    /// The parameter that carries 16 random bytes in hexadecimal; part of what is signed. Default: none.
    public var nonce: String?
    /// How the digest is written. Default: hexadecimal.
    public var encoding = Encoding.hexadecimal
    /// Whether hexadecimal digits are capitals. Default `false`.
    public var isUpperCase = false
    /// Whether parameters with an empty text are left out of what is signed. Default `false`.
    public var omitsEmpty = false
    /// Parameters that are not signed, besides those placed in header fields. Default: none.
    public var excluded: Set<String> = []
    /// How dates are written, which has to be as the query or body writes them. Default: ISO 8601.
    public var dates = ParameterDateStrategy.iso8601
    /// How booleans are written, but for those in arrays and objects; as the query writes them. Default: `true` and `false`.
    public var booleans = QueryEncoder.Booleans.literal
    /// How nulls are written, as the query writes them. Default: not at all.
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

    /// What is signed, without the secret.
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
        case .bool(let value) where booleans == .numeric: text = value ? "1" : "0"
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

extension ParameterSignature: CustomStringConvertible, CustomReflectable {
    /// Algorithm and parameter.
    public var description: String { "ParameterSignature \(name), \(algorithm)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
