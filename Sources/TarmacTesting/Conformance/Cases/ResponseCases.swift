#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// Statuses, header fields and bodies of every size.
enum ResponseCases {
    private static let big = 64 << 20
    private static let bigHead = "HTTP/1.1 200 OK\r\nContent-Length: \(big)\r\n\r\n"

    static func statuses(_ rig: ConformanceRig) async throws {
        try await statuses(Array(200...299) + Array(400...599), rig)
    }

    /// Statuses that may name another location, and here do not.
    static func redirectStatuses(_ rig: ConformanceRig) async throws {
        try await statuses(Array(300...399), rig)
    }

    private static func statuses(_ statuses: [Int], _ rig: ConformanceRig) async throws {
        let server = try rig.server(
            .serving { request in
                let status = Int(request.path.dropFirst()) ?? 0
                let isBodiless = status == 204 || status == 304
                return Bytes(isBodiless ? "HTTP/1.1 \(status) X\r\n\r\n" : ServerScript.Step.response(status, "\(status)"))
            })
        for status in statuses {
            let response = try await rig.get(server.url("/\(status)"))
            try requireEqual(response.status.code, status, "the status")
            // RFC 9110 §15.3.6 lets a client drop the content of a 205.
            if status != 205 { try rig.requireText(response, status == 204 || status == 304 ? "" : "\(status)", "\(status)") }
        }
    }

    private static let informationalScript: ServerScript = [
        .loop([
            .readRequest, .write("HTTP/1.1 100 Continue\r\n\r\n"),
            .write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nX-Early: 1\r\n\r\n"), .reply(200, headers: [("X-Final", "1")], "final"),
        ])
    ]

    static func informational(_ rig: ConformanceRig) async throws {
        let server = try rig.server(informationalScript)
        for _ in 0..<2 {
            let response = try await rig.get(server.url())
            try requireEqual(response.status.code, 200, "the status")
            try rig.requireText(response, "final", "the final response")
            try requireEqual(response.headers[try RequestCases.name("X-Early")], nil, "a field of the informational response")
        }
    }

    static func informationalReports(_ rig: ConformanceRig) async throws {
        let server = try rig.server(informationalScript)
        let flight = rig.flight()
        try await rig.send(Request(.get, server.url()), on: flight)
        try requireEqual(flight.informational, [100, 103], "the informational statuses")
    }

    static func headers(_ rig: ConformanceRig) async throws {
        let long = String(repeating: "v", count: 7000)
        let server = try rig.server(
            .serving(
                ServerScript.Step.response(
                    headers: [("X-Plain", "a, b; c=\"d\""), ("x-lower", "1"), ("X-Empty", ""), ("X-Spaces", "  two words \t "), ("X-Long", long)])))
        let response = try await rig.get(server.url())
        for (name, value) in [("X-Plain", "a, b; c=\"d\""), ("X-Lower", "1"), ("X-Empty", ""), ("X-Spaces", "two words"), ("X-Long", long)] {
            try requireEqual(response.headers[try RequestCases.name(name)], value, name)
        }
    }

    static func headerRepetition(_ rig: ConformanceRig) async throws {
        let server = try rig.server(
            .serving(
                ServerScript.Step.response(
                    headers: [("Set-Cookie", "a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT"), ("X-A", "1"), ("Set-Cookie", "b=2"), ("X-B", "2"), ("X-A", "3, 4")])
            ))
        let response = try await rig.get(server.url())
        let fields = response.headers.map { "\($0.name.canonicalName)=\($0.value)" }.filter { !$0.hasPrefix("content-length") }
        let expected = ["set-cookie=a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT", "x-a=1", "set-cookie=b=2", "x-b=2", "x-a=3, 4"]
        try requireEqual(fields, expected, "the header fields")
    }

    static func emptyBodies(_ rig: ConformanceRig) async throws {
        let replies = [
            "/204": "HTTP/1.1 204 No Content\r\n\r\n", "/304": "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\nETag: \"1\"\r\n\r\n",
            "/200": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "/head": "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
            "/headchunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "/chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
        let server = try rig.server(.serving { Bytes(replies[$0.path] ?? "") })
        for path in replies.keys.sorted() {
            let method: HTTPRequest.Method = path.hasPrefix("/head") ? .head : .get
            try rig.requireText(try await rig.send(Request(method, server.url(path))), "", path)
            let (_, stream) = try await rig.stream(Request(method, server.url(path)))
            for try await chunk in stream { throw Unmet(reason: "\(path) streams \(chunk.count) bytes") }
        }
    }

    static func hugeCollected(_ rig: ConformanceRig) async throws {
        let size = 16 << 20
        let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .fill(98, count: size), .stall])
        let response = try await rig.get(server.url())
        try requireEqual(response.body.collected?.count, size, "the length")
        let isRight = response.body.collected?.withUnsafeBytes { $0.allSatisfy { $0 == 98 } }
        try requireEqual(isRight, true, "whether every byte is as sent")
    }

    static func hugeStreamed(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(bigHead), .fill(98, count: big), .stall])
        let flight = rig.flight(.streamed)
        let (_, stream) = try await rig.stream(Request(.get, server.url()), on: flight)
        var count = 0
        for try await chunk in stream {
            try require(!chunk.isEmpty, "a chunk is empty")
            count += chunk.count
        }
        try requireEqual(count, big, "the length")
    }

    static func backPressure(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(bigHead), .fill(98, count: big), .stall])
        let (_, stream) = try await rig.stream(Request(.get, server.url()))
        var iterator = stream.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        let log = try await server.wait { $0.connections[0].isWriteStalled || $0.connections[0].bytesWritten >= big }
        let written = log.connections[0].bytesWritten
        try require(written <= big / 2, "the server could write \(written) bytes while \(count) were read")
        while let chunk = try await iterator.next() { count += chunk.count }
        try requireEqual(count, big, "the length")
    }

    static func exactLimit(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(ServerScript.Step.response(200, "12345")))
        try rig.requireText(try await rig.send(Request(.get, server.url()), on: rig.flight(.collected(limit: 5))), "12345", "a body of the limit's size")
    }

    static func overLimit(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(bigHead), .fill(98, count: big), .stall])
        try await rig.requireFailure(.bodyTooLarge, of: "a body over the limit") {
            try await rig.send(Request(.get, server.url()), on: rig.flight(.collected(limit: 1 << 20)))
        }
        try await server.wait { $0.connections[0].isEndedByPeer }
    }

    static func chunkedOverLimit(_ rig: ConformanceRig) async throws {
        let chunk = "10000\r\n" + String(repeating: "c", count: 65_536) + "\r\n"
        let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .loop([.write(chunk)])])
        try await rig.requireFailure(.bodyTooLarge, of: "an endless body") {
            try await rig.send(Request(.get, server.url()), on: rig.flight(.collected(limit: 1 << 20)))
        }
        try await server.wait { $0.connections[0].isEndedByPeer }
    }
}
