#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Who goes first when calls wait for a dispatch slot.
public enum CallPriority: Int, Sendable, CaseIterable, Comparable {
    case low, normal, high
    public static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue < right.rawValue }
}

/// One of a service's hosts.
public struct HostKind: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public init(_ name: String) { self.name = name }
    /// The host that owns the data.
    public static let origin = HostKind("origin")
    /// The host that serves copies (YTK-3).
    public static let cdn = HostKind("cdn")
    public var description: String { name }
}

/// Which statuses are a success.
///
/// A 206 is the answer to a request for a part (RFC 9110 §15.3.7): to one without a Range, which somebody on the way must have
/// added, a span such as ``success`` takes it for a failure, since its body would pass for the whole. Who lists 206 or says
/// ``any`` gets it as it is, and so do streams and downloads, which look at the range themselves.
public struct AcceptableStatus: Sendable, Hashable, CustomStringConvertible {
    private let codes: Set<Int>
    /// Where the codes are without a gap, which is quicker to look up.
    private let range: ClosedRange<Int>?
    /// Whether a part is a success although none was asked for.
    let takesAnyPart: Bool
    public let description: String

    /// 200…299.
    public static let success = AcceptableStatus(200...299)
    /// Every status: the caller looks for itself.
    public static let any = AcceptableStatus(codes: Set(100...999), takesAnyPart: true, description: "any")

    /// A span; 206 only where a part was asked for.
    public init(_ range: ClosedRange<Int>) {
        self.init(codes: Set(range), takesAnyPart: range == 206...206, description: "\(range.lowerBound)…\(range.upperBound)")
    }
    /// These and no others.
    public init(_ codes: some Sequence<Int>) {
        let codes = Set(codes)
        self.init(codes: codes, takesAnyPart: codes.contains(206), description: codes.sorted().map(String.init).joined(separator: ", "))
    }
    private init(codes: Set<Int>, takesAnyPart: Bool, description: String) {
        self.codes = codes
        self.takesAnyPart = takesAnyPart
        self.description = description
        range = codes.min().flatMap { low in codes.max().flatMap { $0 - low + 1 == codes.count ? low...$0 : nil } }
    }

    /// Whether a status is a success.
    public func contains(_ status: Int) -> Bool { range?.contains(status) ?? codes.contains(status) }

    /// The same, with 206 wherever 200 is a success.
    var acceptingParts: AcceptableStatus { contains(200) && !contains(206) ? AcceptableStatus(codes.union([206])) : self }
}

/// Which media types an answer may have.
public struct AcceptableContentTypes: Sendable, Hashable, CustomStringConvertible {
    private enum Rule: Hashable, Sendable {
        case automatic, any, json, xml
        case only(Set<String>)
    }
    private let rule: Rule

    /// What the value needs: ``json`` where JSON is decoded, what ``BodyDecoder`` reads where that is something else, what
    /// a ``Landing`` names, and anything otherwise.
    public static let automatic = AcceptableContentTypes(rule: .automatic)
    /// `application/json`, `text/json` and `…+json` (RFC 6839 §3.1). A missing Content-Type is acceptable.
    public static let json = AcceptableContentTypes(rule: .json)
    /// `application/xml`, `text/xml` and `…+xml` (RFC 7303). A missing Content-Type is acceptable.
    public static let xml = AcceptableContentTypes(rule: .xml)
    /// Anything.
    public static let any = AcceptableContentTypes(rule: .any)
    /// JSON under the names servers give it, `text/html` and `text/plain` included (QSP-7).
    public static let lenientJSON = AcceptableContentTypes.only(
        "application/json", "text/json", "text/javascript", "text/html", "text/plain")
    /// These alone, such as `application/json`; without parameters, in any case.
    public static func only(_ types: String...) -> AcceptableContentTypes {
        AcceptableContentTypes(rule: .only(Set(types.map { $0.lowercased() })))
    }

    /// Whether there is nothing to look at.
    func acceptAnything(needsJSON: Bool) -> Bool {
        switch rule {
        case .any: true
        case .automatic: !needsJSON
        case .json, .xml, .only: false
        }
    }

    /// Whether a type is acceptable.
    func contains(_ type: MediaType?, needsJSON: Bool) -> Bool {
        switch rule {
        case .any: true
        case .automatic: !needsJSON || type == nil || type?.isJSON == true
        case .json: type == nil || type?.isJSON == true
        case .xml: type == nil || type?.isXML == true
        case .only(let types): type.map { types.contains($0.essence) } ?? false
        }
    }

    public var description: String {
        switch rule {
        case .automatic: "what the value needs"
        case .json: "JSON"
        case .xml: "XML"
        case .any: "any"
        case .only(let types): types.sorted().joined(separator: ", ")
        }
    }
}

/// Changes parameters before they become path, query, header or body: a signature over sorted parameters, an encrypted
/// field, a filter (YTK-27, XF-11).
///
/// It runs when a call is built, for those who look at the request on its way, and again for every request that is sent: what is
/// for one time only, such as a nonce, is never sent twice. A request that a redirect or an interceptor has changed is sent
/// with the parameters it has; so is one that an outbox kept.
public protocol ParameterTransform: Sendable {
    /// Whether it only protects what is asked, as a signature or a seal does. Caches and shared flights then know a call by its
    /// parameters without it, where it is set for the client or the service. Default `false`: it may change what is asked.
    var onlyProtects: Bool { get }

    /// The parameters to send. What it throws becomes the call's error, with the transform's own error as cause.
    func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList
}

extension ParameterTransform {
    public var onlyProtects: Bool { false }
}

/// What a transform may know of the request.
public struct ParameterTarget: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The route's template.
    public let template: String
    /// The endpoint's name.
    public let endpoint: String
    /// The wall date of the client's clock.
    public let date: Date

    public init(method: String, template: String, endpoint: String, date: Date) {
        self.method = method
        self.template = template
        self.endpoint = endpoint
        self.date = date
    }
}
