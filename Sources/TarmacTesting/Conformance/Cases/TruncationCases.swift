import HTTPTypes
import TarmacCore

/// Responses that end too early, or continue too long.
enum TruncationCases {
    static func length(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close])
        try await rig.requireFailure(.truncatedBody, of: "a body shorter than its Content-Length") { try await rig.get(server.url()) }
        try requireEqual(server.requests.count, 1, "the number of requests")
    }

    static func chunked(_ rig: ConformanceRig) async throws {
        for rest in ["", "a\r\nhalf", "4\r\nhalf\r\n", "4\r\nhalf\r\n0\r\n"] {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            let server = try rig.server([.readRequest, .write(head + rest), .close])
            try await rig.requireFailure(.truncatedBody, of: "a chunked body that ends after \(rest.debugDescription)") {
                try await rig.get(server.url())
            }
        }
    }

    static func stream(_ rig: ConformanceRig) async throws {
        let heads = ["Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"]
        for head in heads {
            let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\n\(head)"), .hold("close"), .close])
            let (_, stream) = try await rig.stream(Request(.get, server.url()))
            var iterator = stream.makeAsyncIterator()
            var text = ""
            while text.utf8.count < 4, let chunk = try await iterator.next() { text += String(decoding: chunk.array, as: UTF8.self) }
            try requireEqual(text, "half", "what came before the end")
            server.open("close")
            try await rig.requireFailure(.truncatedBody, of: "a stream that ends too soon") { try await iterator.next() }
        }
    }

    static func inHead(_ rig: ConformanceRig) async throws {
        for part in ["HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 2", "H"] {
            let server = try rig.server([.readRequest, .write(part), .close])
            try await rig.requireFailure(.connectionLost, .malformedResponse, of: "a head that ends after \(part.debugDescription)") {
                try await rig.send(Request(.post, server.url()))
            }
            try requireEqual(server.requests.count, 1, "the number of requests")
        }
    }

    static func withoutAnswer(_ rig: ConformanceRig) async throws { try await noAnswer(rig, .close) }

    static func resetWithoutAnswer(_ rig: ConformanceRig) async throws { try await noAnswer(rig, .reset) }

    private static func noAnswer(_ rig: ConformanceRig, _ end: ServerScript.Step) async throws {
        for (method, most) in [(HTTPRequest.Method.get, 2), (.post, 1)] {
            let server = try rig.server([.readRequest, end])
            try await rig.requireFailure(.connectionLost, of: "\(method.rawValue) on a connection that ends without an answer") {
                try await rig.send(Request(method, server.url()))
            }
            try require(server.requests.count <= most, "\(method.rawValue) was sent \(server.requests.count) times")
        }
    }

    static func resetInBody(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .hold("reset"), .reset])
        let (_, stream) = try await rig.stream(Request(.get, server.url()))
        var iterator = stream.makeAsyncIterator()
        _ = try await iterator.next()
        server.open("reset")
        try await rig.requireFailure(.connectionLost, .truncatedBody, of: "a reset in the middle of a body") {
            while try await iterator.next() != nil {}
        }
    }

    static func garbageAfterResponse(_ rig: ConformanceRig) async throws {
        let server = try rig.server(
            .serving { request in
                Bytes(ServerScript.Step.response(200, request.path) + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
            })
        for index in 0..<10 {
            try rig.requireText(try await rig.get(server.url("/\(index)")), "/\(index)", "the response after one with an unasked-for follower")
        }
    }
}
