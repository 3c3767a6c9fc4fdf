#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacResumableUpload

/// `tarmac upload FILE URL`: as the body, as a part of a form, or so that it can go on after an interruption.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload a file.",
        discussion: "As the body of a PUT; with --multipart as a part of a POSTed form; with --tus or --ietf resumably.\n\n\(ExitStatus.table)")

    @Argument(help: "The file.")
    var file: String

    @Argument(help: "Where to; without a scheme https, and http for this machine.")
    var url: String

    @Option(help: ArgumentHelp("Send it as this part of a multipart/form-data body.", valueName: "name"))
    var multipart: String?

    @Flag(help: "Upload by tus 1.0.0.")
    var tus = false

    @Flag(help: "Upload by the IETF's draft of resumable uploads.")
    var ietf = false

    @Option(help: ArgumentHelp("The method. Default: PUT, and POST for --multipart, --tus and --ietf.", valueName: "method"))
    var method: String?

    @Flag(help: "Compress the body with gzip; not with --tus and --ietf.")
    var gzip = false

    @OptionGroup var transfer: TransferArguments

    func run() async throws {
        let target = try URLArgument.url(url)
        try check()
        let display = TransferDisplay(Console.terminal)
        let endpoint = try endpoint(target, try options(to: target) { display.note($0) })
        let recording = try CallRecording(transfer.record)
        transfer.warn(of: target)
        let response = try await recording.during {
            try await display.during(isResumable: transfer.resume) {
                try await withClient(transport: transfer.transport.factory, configure: recording.configure) { client in
                    try await send(by: client, to: endpoint, display)
                }
            }
        }
        if let body = response.body.collected, !body.isEmpty {
            try await BodyPrinter(terminal: Console.terminal).print(ByteStream(OneChunk(chunk: body)), mediaType: response.mediaType)
        }
    }

    /// The limits of time are the usual ones: of an upload they count what leaves as progress.
    func options(to target: HTTPURL, note: @escaping @Sendable (String) -> Void = { Console.note($0) }) throws -> Options {
        var options = try transfer.options(to: target, note: note)
        if gzip { options.requestCompression = .gzip(minimumSize: 0) }
        return options
    }

    func check() throws(TarmacError) {
        if [multipart != nil, tus, ietf].count(where: { $0 }) > 1 {
            throw TarmacError(.invalidOption, "--multipart, --tus and --ietf are three ways to upload", suggestion: "use one of them")
        }
        if transfer.resume, !tus, !ietf {
            throw TarmacError(.invalidOption, "--resume needs a server that can go on", suggestion: "add --tus or --ietf, whichever it speaks")
        }
        if gzip, tus || ietf {
            throw TarmacError(.invalidOption, "--gzip does not go with --tus and --ietf: they count the file's own bytes", suggestion: "leave one out")
        }
    }

    private func endpoint(_ url: HTTPURL, _ options: Options) throws(TarmacError) -> InlineEndpoint<Response> {
        let isPut = multipart == nil && !tus && !ietf
        return InlineEndpoint(
            .method(method?.uppercased() ?? (isPut ? "PUT" : "POST"), url.string), landing: Landing { $0.response },
            service: try transfer.service(for: url), options: options)
    }

    private func send(by client: Client, to endpoint: InlineEndpoint<Response>, _ display: TransferDisplay) async throws -> Response {
        let tell: @Sendable (TransferProgress) -> Void = { display.update($0) }
        if tus || ietf {
            let landed = try await client.send(Upload(.file(file), to: endpoint, by: tus ? .tus : .ietf), progress: tell)
            Console.note("\(landed.url)")
            return landed.response
        }
        if let multipart { return try await client.send(Upload(.multipart([.file(multipart, file)]), to: endpoint), progress: tell) }
        return try await client.send(Upload(.file(file, contentType: MediaType.guessed(for: file)), to: endpoint), progress: tell)
    }
}

private struct OneChunk: AsyncSequence, Sendable {
    let chunk: Bytes
    struct Iterator: AsyncIteratorProtocol {
        var chunk: Bytes?
        mutating func next() async throws -> Bytes? {
            defer { chunk = nil }
            return chunk
        }
    }
    func makeAsyncIterator() -> Iterator { Iterator(chunk: chunk) }
}
#endif
