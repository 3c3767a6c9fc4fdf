public import HTTPTypes
public import TarmacJSON

/// The result of a landed call: the value and its response.
public struct Landed<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The number of requests sent.
    public let attempts: Int
    /// The time from the start of the call to its landing.
    public let duration: Duration
    package let payload: Payload

    package init(value: Value, attempts: Int, duration: Duration, payload: Payload) {
        self.value = value
        self.attempts = attempts
        self.duration = duration
        self.payload = payload
    }

    /// The response that the value was made from, with its body collected.
    public var response: Response { payload.response }
    /// The source of the response: the server or the cache.
    public var source: ResponseSource { response.source }
    /// Where the time of each attempt went, in order. Empty if the response came from the cache without a request.
    public var timings: [AttemptTimings] { payload.call.history.all }
    /// The status.
    public var status: HTTPResponse.Status { response.status }
    /// The header fields.
    public var headers: HTTPFields { response.headers }
    /// The URL of the response, after redirects.
    public var url: HTTPURL { response.url }

    /// The payload as JSON, for code without models. It is parsed once.
    public var json: JSON {
        get throws(TarmacError) { try payload.json }
    }
}

extension Landed: MaskedReflectable {
    /// The status, the URL and the number of attempts. It never contains the value, which may hold secrets.
    public var description: String { "\(Value.self): \(response.status.code) from \(response.url), attempts: \(attempts)" }
}
