#if Tools
import Crypto
import Foundation
import Tarmac
import TarmacResumableUpload
import TarmacStreams
import TarmacTesting

extension StormLane {
    /// The script compares the digest with that of the file on the server.
    func download() async throws {
        let path = "\(site.folder)/download-\(lane)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await client.send(Download(.get("/file/\(next)").on(services.plain), to: path)) {
            $0.resume = .automatic { ($0.base, $0.maxBarrenAttempts) = (.milliseconds(200), 8) }
            $0.deadline = .seconds(Double(kind.limit))
        }
        notes.claim("download", next, digest(try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    mutating func upload() async throws {
        let path = "\(site.folder)/upload-\(lane)"
        var data = Data(capacity: 1 << 20)
        for _ in 0..<Int.random(in: 100...100_000, using: &random) {
            withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
        }
        try data.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await client.send(Upload(.file(path), to: .post("/tus/\(next)").on(services.plain), by: .tus)) {
            $0.idempotencyKey = .automatic
            $0.resume = .automatic { ($0.base, $0.maxBarrenAttempts) = (.milliseconds(200), 8) }
            $0.deadline = .seconds(Double(kind.limit))
        }
        notes.claim("upload", next, digest(data))
    }

    private func digest(_ data: Data) -> String { SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined() }

    /// Reads some hundred events and leaves the loop; the next one goes on behind the last. None may be missing or come twice.
    mutating func events() async throws {
        // The number of the stream's last event, in place of that of the call.
        let name = "\(kind.rawValue)-\(lane)"
        let wanted = Int.random(in: 50...500, using: &random)
        let began = ContinuousClock.now
        var last = lastEvent
        defer { lastEvent = last }
        let stream = client.events(.get("/events/\(name)").on(services.plain), after: last == 0 ? "" : "\(last)") {
            $0.events = .reconnecting { ($0.delay, $0.maximumDelay, $0.maximumRefusals) = (.milliseconds(200), .seconds(3), .max) }
            $0.deadline = .unlimited
        }
        for try await event in stream {
            if event.data != "\(name) \(last + 1)" { notes.violated("event \(event.data) came after event \(last)") }
            last += 1
            notes.sawEvent()
            if last % wanted == 0 || ContinuousClock.now - began > .seconds(60) { break }
        }
    }
}
#endif
