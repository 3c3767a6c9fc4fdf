public import HTTPTypes
package import TarmacJSON

/// What an error keeps of the server's answer: the head and a bounded part of the body.
public struct ResponseSnapshot: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields as received; `description` never shows their values.
    public let headers: HTTPFields
    /// The first bytes of the body, 64 KiB at most.
    public let body: Bytes
    /// Whether ``body`` is only the beginning.
    public let isTruncated: Bool

    /// The whole body parsed, if the verdict had to.
    let document: JSONDocument?
    /// How the call reads bodies: its limits, and the names no error quotes.
    let options: JSONDocument.Options?

    package static let bodyLimit = 65_536

    package init(
        status: HTTPResponse.Status, headers: HTTPFields, body: Bytes, isTruncated: Bool = false, document: JSONDocument? = nil,
        options: JSONDocument.Options? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body.prefix(Self.bodyLimit)
        self.isTruncated = isTruncated || body.count > Self.bodyLimit
        self.document = self.isTruncated ? nil : document
        self.options = options
    }
}

extension ResponseSnapshot: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(status.code), \(headers.count) header fields, \(body)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A machine-readable error of an HTTP API (RFC 9457 §3).
public struct ProblemDetails: Decodable, Sendable, Hashable {
    /// A URI that identifies the kind of problem; `about:blank` when absent.
    public var type: String = "about:blank"
    /// A short summary of the kind of problem.
    public var title: String?
    /// The status the server generated.
    public var status: Int?
    /// What went wrong this time.
    public var detail: String?
    /// A URI that identifies this occurrence.
    public var instance: String?

    private enum CodingKeys: String, CodingKey { case type, title, status, detail, instance }

    public init(from decoder: any Decoder) throws {
        // RFC 9457 §3.1: a member whose value has the wrong type is ignored.
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = (try? members.decodeIfPresent(String.self, forKey: .type)) ?? "about:blank"
        title = try? members.decodeIfPresent(String.self, forKey: .title)
        status = try? members.decodeIfPresent(Int.self, forKey: .status)
        detail = try? members.decodeIfPresent(String.self, forKey: .detail)
        instance = try? members.decodeIfPresent(String.self, forKey: .instance)
    }
}
