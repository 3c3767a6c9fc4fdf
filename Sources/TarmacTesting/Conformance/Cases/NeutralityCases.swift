import HTTPTypes
import TarmacCore

/// Decisions that belong above a transport, and must not be made inside it.
enum NeutralityCases {
    static func redirects(_ rig: ConformanceRig) async throws {
        let server = try rig.server(
            .serving { request in
                Bytes(ServerScript.Step.response(Int(request.path.dropFirst()) ?? 500, headers: [("Location", "/200")], "moved"))
            })
        for status in [301, 302, 303, 307, 308] {
            for method in [HTTPRequest.Method.get, .post] {
                let response = try await rig.send(Request(method, server.url("/\(status)")))
                try requireEqual(response.status.code, status, "the status")
                try requireEqual(response.headers[.location], "/200", "Location")
                try rig.requireText(response, "moved", "the body of a \(status)")
            }
        }
        try requireEqual(server.requests.count, 10, "the number of requests")
    }

    static func cookies(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(ServerScript.Step.response(200, headers: [("Set-Cookie", "id=1; Path=/")], "ok")))
        try await rig.get(server.url())
        try await rig.get(server.url())
        try await rig.get(server.url(), headers: [.cookie: "mine=2"])
        try requireEqual(server.requests.flatMap { $0.values("cookie") }, ["mine=2"], "the cookies sent")
    }

    static func cache(_ rig: ConformanceRig) async throws {
        let headers = [("Cache-Control", "public, max-age=3600"), ("ETag", "\"1\""), ("Last-Modified", "Wed, 09 Jun 2021 10:18:14 GMT")]
        let server = try rig.server(.serving(ServerScript.Step.response(200, headers: headers, "cacheable")))
        for _ in 0..<3 { try rig.requireText(try await rig.get(server.url("/same")), "cacheable", "a response that may be cached") }
        try requireEqual(server.requests.count, 3, "the number of requests")
        try requireEqual(server.requests.flatMap { $0.values("if-none-match") + $0.values("if-modified-since") }, [], "what validates a cache")
    }

    static func challenges(_ rig: ConformanceRig) async throws {
        let server = try rig.server(
            .serving { request in
                let status = Int(request.path.dropFirst()) ?? 500
                return Bytes(
                    ServerScript.Step.response(status, headers: [(status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate", "Basic realm=\"r\"")], "who?"))
            })
        for status in [401, 407] {
            let response = try await rig.get(server.url("/\(status)"))
            try requireEqual(response.status.code, status, "the status")
            try rig.requireText(response, "who?", "the body of a \(status)")
        }
        try requireEqual(server.requests.count, 2, "the number of requests")
    }

    static func contentCoding(_ rig: ConformanceRig) async throws {
        // "hello" in gzip.
        let coded: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86, 0xA6, 0x10, 0x36, 0x05, 0, 0, 0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let server = try rig.server(.serving { _ in Bytes(Array(head.utf8) + coded) })
        let response = try await rig.get(server.url())
        try requireEqual(response.body.collected?.array, coded, "the body")
        try requireEqual(response.headers[.contentEncoding], "gzip", "Content-Encoding")
        try requireEqual(response.headers[.contentLength], "\(coded.count)", "Content-Length")
    }
}
