public import HTTPTypes
package import TarmacJSON

/// The part of the server's response that an error keeps: the head and a bounded part of the body.
public struct ResponseSnapshot: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields as received. `description` never shows their values.
    public let headers: HTTPFields
    /// The first bytes of the body, at most 64 KiB.
    public let body: Bytes
    /// Whether ``body`` holds only the beginning of the response body.
    public let isTruncated: Bool

    /// The parsed body, if the verdict stage parsed it.
    let document: JSONDocument?
    /// The options with which the call parses bodies: limits and the names whose values no error quotes.
    let options: JSONDocument.Options?
    /// The decoder of the call, a `BodyDecoder`. The folder of the decoders is above the errors.
    let decoder: (any Sendable)?

    package static let bodyLimit = 65_536

    package init(
        status: HTTPResponse.Status, headers: HTTPFields, body: Bytes, isTruncated: Bool = false, document: JSONDocument? = nil,
        options: JSONDocument.Options? = nil, decoder: (any Sendable)? = nil, limit: Int = bodyLimit
    ) {
        self.status = status
        self.headers = headers
        self.body = body.prefix(limit)
        self.isTruncated = isTruncated || body.count > limit
        self.document = self.isTruncated ? nil : document
        self.options = options
        self.decoder = decoder
    }
}

extension ResponseSnapshot: MaskedReflectable {
    public var description: String { "\(status.code), \(headers.count) header fields, \(body)" }
}

/// A machine-readable error of an HTTP API (RFC 9457 §3).
public struct ProblemDetails: Decodable, Sendable, Hashable {
    /// A URI that identifies the kind of problem. Default: `about:blank`.
    public var type: String = "about:blank"
    /// A short summary of the kind of problem.
    public var title: String?
    /// The status that the server generated.
    public var status: Int?
    /// An explanation of this occurrence of the problem.
    public var detail: String?
    /// A URI that identifies this occurrence of the problem.
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
