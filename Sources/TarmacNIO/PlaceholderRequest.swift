#if NIO
import NIOHTTP1

/// The request that AsyncHTTPClient's pool receives: it has no body, and a field holds the number of the
/// exchange.
///
/// The pool therefore parses a URL once for each origin and not once for each request, and only
/// ``ExchangeHandler`` decides what is sent. The stand-in is never sent.
enum PlaceholderRequest {
    private static let field = "exchange"

    static func headers(number: Int, closesConnection: Bool) -> HTTPHeaders {
        // The pool would add the Host field if there were none.
        var headers = HTTPHeaders([("host", ""), (field, String(number))])
        if closesConnection { headers.add(name: "connection", value: "close") }
        return headers
    }

    static func number(in head: HTTPRequestHead) -> Int? {
        head.headers.first { $0.name == field }.flatMap { Int($0.value) }
    }
}
#endif
