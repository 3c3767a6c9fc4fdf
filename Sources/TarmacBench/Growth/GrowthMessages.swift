#if Tools
import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import TarmacTransfer

/// Header fields, queries, forms, events, lines and pages.
enum GrowthMessages {
    private static let sizes = [10, 100, 1_000, 10_000]

    static var rows: [GrowthRow] {
        [
            headers, received, query, multipart, events, lines, pages,
        ].map { GrowthRow(work: $0, bar: 1.5) }
    }

    private static func client(_ transport: TransportFactory) -> Client {
        Client(transport: transport, services: [Service("s", host: "https://s.example")])
    }

    private static let headers = GrowthCase(name: "header fields of a request", unit: "field", sizes: [10, 100, 1_000]) { size in
        let client = client(.instant), names = (0..<size).map { "X-Field-\($0)" }
        return { try await client.get("/") { for name in names { $0.headers[name] = "value" } } }
    }

    private static let received = GrowthCase(name: "header fields of a response", unit: "field", sizes: [10, 100, 1_000]) { size in
        var fields = InstantAnswer.json
        for number in 0..<size { fields.append(HTTPField(name: HTTPField.Name("X-Field-\(number)")!, value: "value")) }
        let client = client(.instant { [fields] in Response(status: .ok, headers: fields, body: .bytes(InstantAnswer.body), url: $0.url) })
        return { try await client.get("/") }
    }

    private static let query = GrowthCase(name: "parameters in the query of a call", unit: "parameter", sizes: sizes) { size in
        let client = client(.instant)
        var list = ParameterList()
        for number in 0..<size { try list.set("id\(number)", to: number) }
        return { [list] in try await client.get("/users", list) }
    }

    private static let multipart = GrowthCase(name: "parts of a form", unit: "part", sizes: sizes) { size in
        let client = client(.instant)
        return {
            let parts = (0..<size).map { Multipart.Part.field("field\($0)", "value") }
            try await client.post("/", body: .multipart(parts))
        }
    }

    private static let events = GrowthCase(name: "events of a stream", unit: "event", sizes: sizes) { size in
        let text = (0..<size).map { "id: \($0)\ndata: {\"delta\":\"the next few words\"}\n\n" }.joined()
        let client = client(
            .instant {
                Response(status: .ok, headers: [.contentType: "text/event-stream"], body: InstantParts.body(text), url: $0.url)
            })
        return {
            var count = 0
            for try await _ in client.events(.get("/"), configure: { $0.events = .once }) { count += 1 }
            precondition(count == size, "an event is missing")
        }
    }

    private static let lines = GrowthCase(name: "lines of a stream", unit: "line", sizes: sizes) { size in
        let text = (0..<size).map { "line \($0)\n" }.joined()
        let client = client(.instant { Response(status: .ok, headers: [.contentType: "text/plain"], body: InstantParts.body(text), url: $0.url) })
        return {
            var count = 0
            for try await _ in client.lines(.get("/")) { count += 1 }
            precondition(count == size, "a line is missing")
        }
    }

    private static let pages = GrowthCase(name: "pages of a list", unit: "page", sizes: sizes) { size in
        let client = client(
            .instant { request in
                let page = Int(request.url.path.dropFirst()) ?? 0
                var fields: HTTPFields = [.contentType: "application/json"]
                if page + 1 < size { fields[HTTPField.Name("Link")!] = "</\(page + 1)>; rel=\"next\"" }
                return Response(status: .ok, headers: fields, body: .bytes(Bytes("[1,2,3]")), url: request.url)
            })
        return {
            var count = 0
            for try await _ in client.pages(of: .get("/0", as: [Int].self), limit: 20_000) { count += 1 }
            precondition(count == size, "a page is missing")
        }
    }
}
#endif
