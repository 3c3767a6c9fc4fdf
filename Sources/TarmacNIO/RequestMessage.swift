#if NIO
import HTTPTypes
import NIOCore
import NIOHTTP1
import TarmacCore

/// A request as it is sent: the head with its framing, and the body.
struct RequestMessage: Sendable {
    let head: HTTPRequestHead
    let body: Body
    let url: HTTPURL
    let isIdempotent: Bool
    let isSentOnce: Bool
    /// Whether the connection must close after the response, because a header field states it.
    let closesConnection: Bool

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - target: the request target. For a proxy, it is in absolute form (RFC 9112 §3.2.2).
    ///   - proxyAuthorization: the value of Proxy-Authorization, for that proxy only.
    init(_ request: Request, target: String, proxyAuthorization: String? = nil) throws(TarmacError) {
        try Self.checkMethod(of: request)
        var fields: [(String, String)] = []
        fields.reserveCapacity(request.headers.count + 3)
        fields.append(("Host", request.url.authority))
        let closes = try Self.append(request.headers, to: &fields)
        if let proxyAuthorization { fields.append(("Proxy-Authorization", proxyAuthorization)) }
        Self.appendFraming(of: request.body, method: request.method, to: &fields)
        head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(request.method), uri: target, headers: HTTPHeaders(fields))
        body = request.body
        url = request.url
        isIdempotent = request.isIdempotent
        isSentOnce = request.sending.isOnce
        closesConnection = closes
    }

    private static func checkMethod(of request: Request) throws(TarmacError) {
        if request.method == .trace, !request.body.isNone {
            // RFC 9110 §9.3.8: a TRACE request has no body.
            throw TarmacError(.unsupported, "a TRACE request must not have a body")
        }
        if request.method == .connect {
            // RFC 9110 §9.3.6: the bytes after a CONNECT are not HTTP, and the pool would use the connection
            // for other requests.
            throw TarmacError(.unsupported, "method: AsyncHTTPClient cannot send CONNECT", suggestion: "set ConnectionSettings.proxy to go through a proxy")
        }
    }

    /// Adds the fields of the caller. Returns whether Connection has the value `close`.
    private static func append(_ headers: HTTPFields, to fields: inout [(String, String)]) throws(TarmacError) -> Bool {
        var closes = false
        var cookie: Int?
        for field in headers {
            switch field.name.canonicalName {
            case "host":
                fields[0].1 = field.value
                continue
            case "content-length", "transfer-encoding":
                // Framing that does not match the body makes one request look like two (RFC 9112 §11.2).
                throw TarmacError(
                    .unsupported, "header \(field.name.rawName): AsyncHTTPClient frames the body itself", suggestion: "state the body's length with the body")
            case "cookie":
                // HTTPTypes splits the field at its semicolons, but RFC 6265 §5.4 requires one field.
                if let cookie {
                    fields[cookie].1 += "; \(field.value)"
                    continue
                }
                cookie = fields.count
            case "connection": closes = closes || field.value.lowercased().contains("close")
            default: break
            }
            fields.append((field.name.rawName, field.value))
        }
        return closes
    }

    private static func appendFraming(of body: Body, method: HTTPRequest.Method, to fields: inout [(String, String)]) {
        if body.isNone {
            // RFC 9110 §8.6: a method that anticipates a body states a length of 0 if there is none.
            if method == .post || method == .put || method == .patch { fields.append(("Content-Length", "0")) }
        } else if let length = body.length {
            fields.append(("Content-Length", String(length)))
        } else {
            fields.append(("Transfer-Encoding", "chunked"))
        }
    }
}

extension HTTPMethod {
    fileprivate init(_ method: HTTPRequest.Method) {
        self = method == .get ? .GET : HTTPMethod(rawValue: method.rawValue)
    }
}
#endif
