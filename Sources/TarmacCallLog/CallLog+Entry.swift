#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

extension CallLog {
    /// A call in the log. Its secrets are masked.
    public struct Entry: Sendable, Hashable, Identifiable, Codable {
        /// The state of a call.
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            case flying, landed, failed, cancelled
        }

        /// The number of the call within its log.
        public package(set) var id: UInt64
        /// The number of the call within its client, as ``CallEvent/call``.
        public package(set) var call: UInt64
        public package(set) var endpoint: String
        public package(set) var service: String
        /// Whether the call belongs to an owner, with whom it ends.
        public package(set) var hasOwner: Bool
        public package(set) var tags: [String]
        package let startMilliseconds: Double
        public package(set) var state: State
        var lasted: Milliseconds?
        /// The request as the caller made it. `nil` for a call that failed before it had one.
        public package(set) var request: Request?
        /// The response that landed or was refused, after redirects, content coding and decryption.
        public package(set) var response: Response?
        /// The requests on the wire with their responses, in order: of redirects, retries, refreshes and background revalidation too. Empty
        /// if the cache answered, or if the call shares the request of another call.
        public package(set) var attempts: [Attempt]
        /// The error of a call that failed.
        public package(set) var failure: Failure?
        /// The events besides requests: retries, redirects, refreshes, decisions of the cache, in order.
        public package(set) var events: [Event]
        /// Whether an archive that is being read has the response in its last item.
        package var takesResponse = false

        enum CodingKeys: String, CodingKey {
            case id, call, endpoint, service, hasOwner, tags, state, request, response, attempts, failure, events
            case startMilliseconds = "start"
            case lasted = "duration"
        }

        /// The start, in whole milliseconds.
        public var start: Date { Date(timeIntervalSince1970: Milliseconds.ofDate(startMilliseconds) / 1_000) }
        /// The time from the start to the end. `nil` in flight.
        public var duration: Duration? { lasted?.duration }
        /// The source of the response: the server or the cache.
        public var source: ResponseSource? { response?.source.flatMap { ResponseSource(rawValue: $0) } }
        /// The status of the response that landed, or of the last attempt that has one.
        public var status: Int? { response?.status ?? attempts.reversed().lazy.compactMap(\.response?.status).first }
    }

    /// One request on the wire, with its response.
    public struct Attempt: Sendable, Hashable, Codable {
        /// The number within the call, from 1.
        public package(set) var number: Int
        /// The reason of an attempt that is not the first, such as `retry: timeout` or `redirect: 302`.
        public package(set) var reason: String?
        package let began: Milliseconds
        /// The request as it was sent, with the header fields and credentials of the service.
        public package(set) var request: Request
        /// The response. `nil` in flight and after a failure.
        public package(set) var response: Response?
        /// The failure in place of a response.
        public package(set) var failure: Failure?
        /// Where the time went. `nil` in flight.
        public package(set) var timings: Timings?

        enum CodingKeys: String, CodingKey {
            case number, reason, request, response, failure, timings
            case began = "start"
        }

        package init(number: Int, reason: String?, began: Milliseconds, request: Request, response: Response?, failure: Failure?, timings: Timings?) {
            (self.number, self.reason, self.began, self.request) = (number, reason, began, request)
            (self.response, self.failure, self.timings) = (response, failure, timings)
        }

        /// The time from the start of the call to the start of the attempt.
        public var start: Duration { began.duration }
    }

    /// A request in the log.
    public struct Request: Sendable, Hashable, Codable {
        public let method: String
        /// The URL with secrets masked. It may not be a valid URL.
        public let url: String
        public let headers: [Field]
        /// `nil` if there is none.
        public let body: Body?

        package init(method: String, url: String, headers: [Field], body: Body?) {
            (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        }
    }

    /// A response in the log.
    public struct Response: Sendable, Hashable, Codable {
        public let status: Int
        public let reasonPhrase: String
        /// The version of HTTP, such as `HTTP/2`. `nil` if the transport does not tell it.
        public package(set) var version: String?
        public let headers: [Field]
        /// `nil` if the log keeps no bodies.
        public let body: Body?
        package let source: String?

        package init(status: Int, reasonPhrase: String, version: String?, headers: [Field], body: Body?, source: String?) {
            (self.status, self.reasonPhrase, self.version, self.headers, self.body, self.source) = (status, reasonPhrase, version, headers, body, source)
        }
    }

    /// A header field.
    public struct Field: Sendable, Hashable, Codable {
        public let name: String
        public let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// A body, or its beginning.
    public struct Body: Sendable, Hashable, Codable {
        public let mediaType: String?
        /// The size of the whole body in bytes, without content coding. `nil` if it is unknown.
        public let size: Int64?
        /// The text with secrets masked. `nil` if the body is not text or was not kept.
        public let text: String?
        /// The bytes of an image in Base64. Other bytes that are no text may hold any secret and are not shown.
        public let base64: String?
        /// Whether the body is longer than what the log shows of it.
        public let isTruncated: Bool

        package init(mediaType: String?, size: Int64?, text: String?, base64: String?, isTruncated: Bool) {
            (self.mediaType, self.size, self.text, self.base64, self.isTruncated) = (mediaType, size, text, base64, isTruncated)
        }
    }

    /// An error in the log.
    public struct Failure: Sendable, Hashable, Codable {
        /// The name of ``TarmacError/code``, or `cancelled`.
        public let code: String
        /// The error in one line, as ``TarmacError/description``.
        public let text: String

        package init(code: String, text: String) { (self.code, self.text) = (code, text) }
    }

    /// Something that happened to a call besides its requests.
    public struct Event: Sendable, Hashable, Codable {
        /// The kinds of events.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case retry, redirect, refresh, cache, host, hedge, coalesced, connectivity, limit, reconnect, warning, other
        }

        package let at: Milliseconds
        public let kind: Kind
        /// The event in words, as ``ConsoleLogger`` writes it.
        public let text: String

        package init(at: Milliseconds, kind: Kind, text: String) {
            (self.at, self.kind, self.text) = (at, kind, text)
        }

        /// The time from the start of the call.
        public var offset: Duration { at.duration }
    }
}

extension CallLog.Entry {
    /// The entry as JSON, with times in milliseconds, for the pages of the inspector.
    package var json: [UInt8] { CallLog.jsonLine(self) }
}
