#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacHAR
import TarmacInspector

/// `tarmac open FILE.har`: the calls of an archive in the page of the inspector.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Look at the calls of a HAR file in the browser, until Ctrl-C.")

    @Argument(help: "The file, of Tarmac, a browser or a proxy.")
    var file: String

    @Option(name: .shortAndLong, help: "The port of the page on 127.0.0.1; 0 takes a free one.")
    var port: UInt16 = 0

    func run() async throws {
        let inspector = try await Inspector(try archive(), port: port, allowsReleaseBuilds: true)
        try Console.line(inspector.url)
        Console.note("Open the address in a browser. It is for you alone. Ctrl-C ends.")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await inspector.stop()
    }

    private func archive() throws -> HAR {
        let bytes: Bytes
        do { bytes = Bytes(Array(try Data(contentsOf: URL(fileURLWithPath: file)))) } catch {
            throw TarmacError(.unreadableFile, "the file \(file) cannot be read", cause: error)
        }
        return try HAR(parsing: bytes)
    }
}
#endif
