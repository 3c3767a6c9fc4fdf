#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// Request bodies.
enum UploadCases {
    private static let ok = ServerScript.serving(ServerScript.Step.response(200, "ok"))
    private static let big = 64 << 20

    static func bytes(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let body = Bytes((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
            try await rig.send(Request(method, server.url(), body: .bytes(body)))
        }
        for request in server.requests {
            try require(request.body == body, "the body of \(request.method) does not arrive as sent")
            try requireEqual(request.values("content-length"), ["300000"], "Content-Length")
            try requireEqual(request.values("transfer-encoding"), [], "Transfer-Encoding")
        }
    }

    static func withGet(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        for method in [HTTPRequest.Method.get, .options] {
            try await rig.send(Request(method, server.url(), body: .text("asked")))
        }
        try requireEqual(server.requests.map { String(decoding: $0.body.array, as: UTF8.self) }, ["asked", "asked"], "the bodies")
    }

    static func file(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let content = Data((0..<900_001).map { UInt8(truncatingIfNeeded: $0 &* 17) })
        let file = try TemporaryFile(content)
        try await rig.send(Request(.post, server.url(), body: try .file(file.path)))
        let request = server.requests[0]
        try require(request.body.data == content, "the file does not arrive as it is: \(request.bodyLength) bytes")
        try requireEqual(request.values("content-length"), ["900001"], "Content-Length")
    }

    static func missingFile(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let file = try TemporaryFile(Data("gone".utf8))
        let body = try Body.file(file.path)
        file.remove()
        try await rig.requireFailure(.unreadableFile, of: "a file removed before it is sent") {
            try await rig.send(Request(.post, server.url(), body: body))
        }
        try require(server.requests.allSatisfy { !$0.isComplete }, "the server got a complete request")
    }

    static func knownLength(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let source = UploadSource(total: 2_000_003, chunk: 70_001)
        try await rig.send(Request(.post, server.url(), body: .stream(source.stream, length: 2_000_003)))
        let request = server.requests[0]
        try requireEqual(request.values("content-length"), ["2000003"], "Content-Length")
        try requireEqual(request.values("transfer-encoding"), [], "Transfer-Encoding")
        try requireEqual(request.bodyLength, 2_000_003, "the length received")
    }

    static func unknownLength(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let source = UploadSource(total: 2_000_003, chunk: 70_001)
        try await rig.send(Request(.post, server.url(), body: .stream(source.stream)))
        try requireEqual(server.requests[0].bodyLength, 2_000_003, "the length received")
    }

    static func unknownLengthIsChunked(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        try await rig.send(Request(.post, server.url(), body: .stream(UploadSource(total: 200_000).stream)))
        try requireEqual(server.requests[0].values("content-length"), [], "Content-Length")
        try requireEqual(server.requests[0].values("transfer-encoding"), ["chunked"], "Transfer-Encoding")
    }

    static func emptyStream(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        try await rig.send(Request(.post, server.url(), body: .stream(UploadSource(total: 0).stream)))
        try requireEqual(server.requests[0].bodyLength, 0, "the length received")
        try require(server.requests[0].isComplete, "the request is not complete")
    }

    static func tooShort(_ rig: ConformanceRig) async throws {
        try await wrongLength(rig, sent: 70_000, stated: 100_000)
    }

    static func tooLong(_ rig: ConformanceRig) async throws {
        try await wrongLength(rig, sent: 100_000, stated: 70_000)
    }

    private static func wrongLength(_ rig: ConformanceRig, sent: Int, stated: Int64) async throws {
        // A response must not hide the mistake: there is none before the body is complete.
        let server = try rig.server([.readRequest, .stall])
        let body = Body.stream(UploadSource(total: sent, chunk: 35_000).stream, length: stated)
        try await rig.requireFailure(.invalidParameter, of: "a stream of \(sent) bytes stated as \(stated)") {
            try await rig.send(Request(.post, server.url(), body: body))
        }
        // The following bytes must not be read as part of this request.
        let second = try rig.server(ok)
        try rig.requireText(try await rig.get(second.url()), "ok", "the next request")
    }

    static func failing(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .stall])
        let source = UploadSource(total: 100_000, failsAtEnd: true)
        do {
            try await rig.send(Request(.post, server.url(), body: .stream(source.stream, length: 200_000)))
            throw Unmet(reason: "a body that fails is no failure")
        } catch is UploadSource.Failure {
        } catch let error as TarmacError {
            try require(error.cause(as: UploadSource.Failure.self) != nil, "the cause of \(error.code) is \(String(describing: error.cause))")
        }
        try require(server.requests.allSatisfy { !$0.isComplete }, "the server got a complete request")
        try await server.wait { $0.connections.allSatisfy(\.isEndedByPeer) }
    }

    static func replayed(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let file = try TemporaryFile(Data("from a file".utf8))
        let stream = Body.stream(UploadSource(total: 11).stream, length: 11, isReplayable: true)
        for body in [Body.text("from memory"), try .file(file.path), stream] {
            let request = Request(.put, server.url(), body: body)
            try await rig.send(request)
            try await rig.send(request)
        }
        let bodies = server.requests.map(\.body)
        try require(bodies[0] == bodies[1] && bodies[2] == bodies[3] && bodies[4] == bodies[5], "a body differs the second time")
        try requireEqual(server.requests.map(\.bodyLength), Array(repeating: 11, count: 6), "the lengths")
    }

    static func backPressure(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readHead, .hold("drain"), .readBody, .reply(200, "drained"), .stall])
        let source = UploadSource(total: big)
        let flight = rig.flight()
        let sending = rig.start(Request(.post, server.url(), body: .stream(source.stream, length: Int64(big))), on: flight)
        try await server.received()
        let produced = try await source.settled()
        try require(produced <= big / 2, "\(produced) bytes were asked for while the server read nothing")
        server.open("drain")
        try rig.requireText(try await sending.value, "drained", "the upload")
        try requireEqual(server.requests[0].bodyLength, big, "the length received")
    }

    static func reports(_ rig: ConformanceRig) async throws {
        let server = try rig.server(ok)
        let flight = rig.flight()
        try await rig.send(Request(.post, server.url(), body: .stream(UploadSource(total: 300_000).stream, length: 300_000)), on: flight)
        try requireEqual(flight.bytesSent, 300_000, "the sum of the .sentBody reports")
        // The report that a write has ended may arrive after the response.
        guard let sentHead = flight.position(\.isSentHead), let sentAll = flight.position(\.isSentAll),
            let receivedHead = flight.position(\.isReceivedHead), let ended = flight.position(\.isEnded)
        else { throw Unmet(reason: "head sent, all sent, head received or ended is not reported: \(flight.reports)") }
        try require(
            sentHead < sentAll && sentHead < receivedHead && sentAll < ended && receivedHead < ended,
            "the order of the reports is \(flight.reports)")
    }

    /// The response arrives while the connection is full of a body that the server does not read.
    static func earlyResponse(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readHead, .hold("answer"), .reply(413, headers: [("Connection", "close")], "too large"), .stall])
        let source = UploadSource(total: big)
        let request = Request(.post, server.url(), body: .stream(source.stream, length: Int64(big)))
        let call = rig.start(request, on: rig.flight())
        try await server.received()
        _ = try await source.settled()
        server.open("answer")
        let response = try await call.value
        try requireEqual(response.status.code, 413, "the status")
        try rig.requireText(response, "too large", "the early response")
        try await server.wait { $0.connections.allSatisfy { $0.end != nil } }
        try require(source.produced.value < big, "the whole body was asked for")
    }

    static func continueBeforeBody(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readHead, .write("HTTP/1.1 100 Continue\r\n\r\n"), .readBody, .reply(200, "done"), .stall])
        var request = Request(.post, server.url(), body: .text(String(repeating: "b", count: 100_000)))
        request.headers[.expect] = "100-continue"
        try rig.requireText(try await rig.send(request), "done", "the answer after 100 Continue")
        try requireEqual(server.requests[0].bodyLength, 100_000, "the length received")
    }
}
