#if NIO
import NIOHTTP1

/// The request as AsyncHTTPClient's pool sees it: no body, and the exchange's number in a field.
///
/// So the pool parses a URL once for each origin instead of once a request, and ``ExchangeHandler`` decides alone what is
/// sent. The stand-in never reaches the wire.
enum StandIn {
    private static let field = "exchange"

    static func headers(number: Int, closesConnection: Bool) -> HTTPHeaders {
        // The pool would spell out the Host field if there were none.
        var headers = HTTPHeaders([("host", ""), (field, String(number))])
        if closesConnection { headers.add(name: "connection", value: "close") }
        return headers
    }

    static func number(in head: HTTPRequestHead) -> Int? {
        head.headers.first { $0.name == field }.flatMap { Int($0.value) }
    }
}
#endif
