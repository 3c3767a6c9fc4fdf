import HTTPTypes
import TarmacCore

/// The requests on the connection, before the body.
enum RequestCases {
    private static let ok = ServerScript.serving(ServerScript.Step.response(200, "ok"))

    static func commonMethods(_ rig: ConformanceRig) async throws {
        try await methods(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"], rig)
        let server = try rig.server(.serving("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"))
        try await rig.send(Request(.head, server.url()))
        try requireEqual(server.requests.map(\.method), ["HEAD"], "the method")
    }

    static func unusualMethods(_ rig: ConformanceRig) async throws {
        try await methods(["PROPFIND", "M-SEARCH", "QUERY", "X!#$%&'*+-.^_`|~9"], rig)
    }

    /// Methods are case-sensitive (RFC 9110 §9.1).
    static func lowercaseMethods(_ rig: ConformanceRig) async throws {
        try await methods(["get", "Post"], rig)
    }

    private static func methods(_ names: [String], _ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        for name in names {
            guard let method = HTTPRequest.Method(name) else { throw Unmet(reason: "\(name) is no method") }
            let response = try await rig.send(Request(method, server.url("/\(name.count)")))
            try rig.requireText(response, "ok", name)
        }
        try requireEqual(server.requests.map(\.method), names, "the methods")
    }

    static func target(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let targets = [
            "/", "/a/b", "/a%2Fb/%E4%BD%A0", "/a;x=1,2/b:c@d", "/?", "/?q=a+b%20c&q=&=&r", "/%7Ea/~b", "//double//",
            "/?redirect=http://host/?a%26b", "/a?x=1?2",
        ]
        for target in targets {
            let response = try await rig.get(server.url(target))
            try requireEqual(response.url, server.url(target), "the response's URL")
        }
        try requireEqual(server.requests.map(\.target), targets, "the targets")
    }

    static func host(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        try await rig.get(server.url())
        try requireEqual(server.requests[0].values("host"), ["127.0.0.1:\(server.port)"], "Host")
        try requireEqual(server.requests[0].version, "HTTP/1.1", "the version")
    }

    static func headers(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let values = ["plain", "a, b;c=\"d\"", "", String(repeating: "v", count: 7000), "caf\u{E9} \u{4F60}"]
        var headers = HTTPFields()
        for (index, value) in values.enumerated() { headers[try name("X-Field-\(index)")] = value }
        headers[.userAgent] = "Conformance/1"
        headers[.accept] = "text/x-one"
        headers[.acceptEncoding] = "identity"
        headers[.authorization] = "Basic dTpw"
        headers[.range] = "bytes=0-1"
        try await rig.get(server.url(), headers: headers)
        for field in headers {
            try requireEqual(server.requests[0].values(field.name.rawName), [field.value], field.name.rawName)
        }
    }

    /// HTTPTypes separates cookies, as HTTP/2 prefers; HTTP/1.1 has one field (RFC 6265 §5.4, RFC 9113 §8.2.3).
    static func oneCookieField(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        try await rig.get(server.url(), headers: [.cookie: "a=1; b=2"])
        var apart = HTTPFields()
        for value in ["c=3", "d=4"] { apart.append(HTTPField(name: .cookie, value: value)) }
        try await rig.get(server.url(), headers: apart)
        try requireEqual(server.requests.map { $0.values("cookie") }, [["a=1; b=2"], ["c=3; d=4"]], "Cookie")
    }

    static func headerOrder(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let names = ["X-Zulu", "Accept", "X-Alpha", "Authorization", "X-Mike", "User-Agent", "X-Beta"]
        var headers = HTTPFields()
        for header in names { headers.append(HTTPField(name: try name(header), value: "1")) }
        try await rig.get(server.url(), headers: headers)
        let sent = server.requests[0].headers.map(\.name).filter { sent in names.contains { $0.lowercased() == sent.lowercased() } }
        try requireEqual(sent.map { $0.lowercased() }, names.map { $0.lowercased() }, "the order of the header fields")
    }

    static func headerRepetition(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        var headers = HTTPFields()
        let repeated = try name("X-Repeated")
        for value in ["one", "two", "three"] { headers.append(HTTPField(name: repeated, value: value)) }
        try await rig.get(server.url(), headers: headers)
        // RFC 9110 §5.3: one field with a list means the same.
        let values = server.requests[0].values("X-Repeated").joined(separator: ", ")
        try requireEqual(values.filter { $0 != " " }, "one,two,three", "X-Repeated")
    }

    static func noHeadersOfItsOwn(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        try await rig.get(server.url())
        try await rig.send(Request(.post, server.url(), body: .text("a", contentType: nil)))
        let allowed: Set = ["host", "connection", "content-length"]
        let names = Set(server.requests.flatMap { $0.headers.map { $0.name.lowercased() } })
        try requireEqual(names.subtracting(allowed).sorted(), [], "what the transport adds")
    }

    static func noBodyOfItsOwn(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        try await rig.get(server.url())
        try await rig.send(Request(.post, server.url()))
        let (get, post) = (server.requests[0], server.requests[1])
        try requireEqual(get.values("content-length") + get.values("transfer-encoding"), [], "the framing of a GET without a body")
        // RFC 9110 §8.6: a POST without a body states that.
        try requireEqual(post.values("content-length") + post.values("transfer-encoding"), ["0"], "the framing of a POST without a body")
    }

    static func name(_ text: String) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { throw Unmet(reason: "\(text) is no field name") }
        return name
    }
}
