#if Tools
import ArgumentParser
import Foundation
import Tarmac

/// `tarmac download URL`: to a file, which appears when it is whole.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Download to a file; it appears when it is complete.",
        discussion: "What breaks off goes on by itself. With --resume another run goes on where an interrupted one ended.\n\n\(ExitStatus.table)")

    @Argument(help: "Where from; without a scheme https, and http for this machine.")
    var url: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The file. Default: the last name in the URL's path, in this folder.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("The SHA-256 the file must have, in hexadecimal.", valueName: "hex"))
    var sha256: String?

    @Option(help: ArgumentHelp("How many ranges of a large file come at once, 1 to 16.", valueName: "n"))
    var parallel = 1

    @OptionGroup var transfer: TransferArguments

    static func digest(_ text: String?) throws(TarmacError) -> ExpectedDigest? {
        guard let text else { return nil }
        let digest = ExpectedDigest.sha256(text)
        guard digest.bytes.count == 32 else { throw TarmacError(.invalidOption, "--sha256 needs 64 hex digits", suggestion: "paste what sha256sum prints") }
        return digest
    }

    func run() async throws {
        let source = try URLArgument.url(url)
        let path = try DownloadName.path(output, for: source)
        let display = TransferDisplay(Console.terminal)
        var options = try transfer.options(to: source) { display.note($0) }
        options.expectedDigest = try Self.digest(sha256)
        options.download = DownloadRule { $0.parallelRanges = parallel }
        let endpoint = InlineEndpoint<Void>.get(source.string).with { $0 = options }.on(try transfer.service(for: source))
        let recording = try CallRecording(transfer.record)
        transfer.warn(of: source)
        try await recording.during {
            try await display.during(isResumable: transfer.resume) {
                _ = try await withClient(transport: transfer.transport.factory, configure: recording.configure) { client in
                    try await client.send(Download(endpoint, to: path), progress: { display.update($0) })
                }
            }
            Console.note(path)
        }
    }
}

/// The file a download goes to (pure but for a look at the folder).
enum DownloadName {
    static func path(_ output: String?, for url: HTTPURL) throws(TarmacError) -> String {
        if let path = output {
            guard let file = try OutputArgument.file(path) else {
                throw TarmacError(.invalidOption, "a download goes to a file", suggestion: "use tarmac get to print it")
            }
            return file
        }
        let name = url.path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)?.removingPercentEncoding ?? ""
        // A name the server's URL makes up must not lead anywhere else.
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw TarmacError(.invalidOption, "the URL names no file", suggestion: "name one with --output")
        }
        return try OutputArgument.file(name) ?? name
    }
}
#endif
