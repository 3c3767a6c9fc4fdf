public import HTTPTypes
public import TarmacJSON

/// A landed call: the value and all that came with it.
public struct Landed<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// How many requests were sent.
    public let attempts: Int
    /// From take-off to landing.
    public let duration: Duration
    package let payload: Payload

    package init(value: Value, attempts: Int, duration: Duration, payload: Payload) {
        self.value = value
        self.attempts = attempts
        self.duration = duration
        self.payload = payload
    }

    /// The response it was made of; its body is collected.
    public var response: Response { payload.response }
    /// Where the answer comes from: the server, or the cache (YTK-28).
    public var source: ResponseSource { response.source }
    /// The status.
    public var status: HTTPResponse.Status { response.status }
    /// The header fields.
    public var headers: HTTPFields { response.headers }
    /// The URL that answered, after redirects.
    public var url: HTTPURL { response.url }

    /// The payload as JSON, for model-free code; parsed once.
    public var json: JSON {
        get throws(TarmacError) { try payload.json }
    }
}

extension Landed: CustomStringConvertible, CustomReflectable {
    /// Status, URL and attempts; never the value, which may hold secrets.
    public var description: String { "\(Value.self): \(response.status.code) from \(response.url), attempts: \(attempts)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
