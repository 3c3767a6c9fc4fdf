import HTTPTypes
import TarmacCore

/// Responses that break the protocol: they are errors, and their connections are closed.
enum MalformedCases {
    private static func refuse(_ rig: ConformanceRig, _ replies: [String], _ codes: TarmacError.Code..., what: String) async throws {
        for reply in replies {
            let server = try rig.server([.readRequest, .write(reply), .stall])
            let shown = reply.prefix(60).debugDescription
            let error = try await failure(rig, server, "\(what), \(shown),")
            try require(codes.contains(error.code), "\(what), \(shown), fails with \(error.code) (\(error.reason)) instead of \(codes)")
            try requireEqual(server.requests.count, 1, "the number of requests")
        }
    }

    private static func failure(_ rig: ConformanceRig, _ server: ScriptedServer, _ what: String) async throws -> TarmacError {
        do {
            let response = try await rig.get(server.url())
            throw Unmet(reason: "\(what) is a response \(response.status.code) of \(response.body.collected?.count ?? -1) bytes")
        } catch let error as TarmacError {
            return error
        }
    }

    static func garbageStatusLine(_ rig: ConformanceRig) async throws {
        let replies = ["GARBAGE\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n", "ICY 200 OK\r\n\r\n", "{\"json\":true}\r\n\r\n", "HTTP 200 OK\r\n\r\n"]
        try await refuse(rig, replies, .malformedResponse, what: "a garbage status line")
    }

    static func impossibleStatus(_ rig: ConformanceRig) async throws {
        let replies = ["99999", "20", "-20", "2x0", ""].map { "HTTP/1.1 \($0) OK\r\nContent-Length: 0\r\n\r\n" }
        try await refuse(rig, replies, .malformedResponse, what: "an impossible status")
    }

    static func unknownVersion(_ rig: ConformanceRig) async throws {
        try await refuse(rig, ["HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n"], .malformedResponse, what: "an unknown version")
    }

    static func versionWithoutNumber(_ rig: ConformanceRig) async throws {
        try await refuse(rig, ["HTTP/x 200 OK\r\nContent-Length: 0\r\n\r\n"], .malformedResponse, what: "a version that is no number")
    }

    static func invalidChunkSize(_ rig: ConformanceRig) async throws {
        let sizes = ["xyz\r\n", "-1\r\n", "\r\n", "FFFFFFFFFFFFFFFFFFFF\r\n", "3\r\nabcd\r\n"]
        let replies = sizes.map { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\($0)abc\r\n0\r\n\r\n" }
        try await refuse(rig, replies, .malformedResponse, what: "an invalid chunk size")
    }

    static func conflictingLengths(_ rig: ConformanceRig) async throws {
        let replies = [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello!",
        ]
        try await refuse(rig, replies, .malformedResponse, what: "two Content-Lengths that differ")
    }

    static func invalidLength(_ rig: ConformanceRig) async throws {
        let replies = ["-5", "5x", "0x5", "99999999999999999999999"].map { "HTTP/1.1 200 OK\r\nContent-Length: \($0)\r\n\r\nhello" }
        try await refuse(rig, replies, .malformedResponse, what: "an invalid Content-Length")
    }

    static func invalidName(_ rig: ConformanceRig) async throws {
        let replies = ["Bad Name: x", ": x", "X[y]: x", "NoColon"].map { "HTTP/1.1 200 OK\r\n\($0)\r\nContent-Length: 2\r\n\r\nok" }
        try await refuse(rig, replies, .malformedResponse, what: "an invalid header field")
    }

    static func nul(_ rig: ConformanceRig) async throws {
        try await refuse(
            rig, ["HTTP/1.1 200 OK\r\nX-Nul: a\u{0}b\r\nContent-Length: 2\r\n\r\nok"], .malformedResponse, what: "NUL in a header field")
    }

    static func hugeHeader(_ rig: ConformanceRig) async throws {
        let reply = "HTTP/1.1 200 OK\r\nX-Huge: " + String(repeating: "h", count: 4 << 20) + "\r\nContent-Length: 2\r\n\r\nok"
        try await refuse(rig, [reply], .headersTooLarge, .malformedResponse, what: "a header field of 4 MiB")
    }

    /// After a malformed response, a client cannot find the start of the next one (RFC 9112 §6.3, §9.6).
    static func closesConnection(_ rig: ConformanceRig) async throws {
        let replies = [
            "GARBAGE\r\n\r\n", "HTTP/1.1 99999 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nBad Name: x\r\nContent-Length: 2\r\n\r\nok",
        ]
        for reply in replies {
            let server = try rig.server([.readRequest, .write(reply), .stall])
            _ = try await failure(rig, server, reply.debugDescription)
            do {
                try await ConnectionCases.within(.seconds(20)) { try await server.isLeft() }
            } catch is Unmet {
                throw Unmet(reason: "the connection is kept after \(reply.prefix(60).debugDescription)")
            }
        }
    }

    static func endlessHeaders(_ rig: ConformanceRig) async throws {
        let some = (0..<100).map { "X-Endless-\($0): \(String(repeating: "e", count: 100))\r\n" }.joined()
        let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\n"), .loop([.write(some)])])
        let error = try await failure(rig, server, "an endless header section")
        try require(
            error.code == .headersTooLarge || error.code == .malformedResponse,
            "an endless header section fails with \(error.code) (\(error.reason))")
        try await server.wait { $0.connections[0].isEndedByPeer }
    }
}
