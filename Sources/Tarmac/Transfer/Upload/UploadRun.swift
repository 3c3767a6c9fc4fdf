#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes

/// What the server has is another upload than this one.
private struct UploadGone: Error {}

/// Where an upload is on the server.
struct UploadPlace: Sendable {
    let url: HTTPURL
    /// The head of the last answer about it.
    var head: Response
    var expires: Date?
    /// Whether a ledger told it: then it may be gone since.
    var isRecalled = false
}

/// Carries out one resumable upload: makes its place or finds it again, appends, asks how far it is after an interruption.
struct UploadRun {
    let line: UploadLine
    private let wire: any UploadWire
    private var place: UploadPlace?
    private var chunk: Int64
    private var patience: Patience
    /// What the server is known to have; `nil` when it has to be asked.
    private var offset: Int64?
    private var freshStarts = 0

    init(_ line: UploadLine) {
        self.line = line
        wire = line.settings.wire
        chunk = line.settings.largestRequest
        patience = Patience(line.context, line.resume, held: 0)
    }

    /// Returns where the upload is, and the answer to its last request.
    mutating func run() async throws -> UploadedFile {
        place = try await line.recall()
        while true {
            do {
                try line.checkEnd()
                if let landed = try await step() {
                    try? await line.forget()
                    line.meter?.finish()
                    return landed
                }
            } catch let error as TarmacError {
                try await recover(from: error)
            } catch is UploadGone {
                try await startOver()
            }
        }
    }

    private mutating func step() async throws -> UploadedFile? {
        guard let place else {
            try await create()
            return nil
        }
        guard let offset else { return try await ask(place) }
        line.meter?.update { $0.sent = offset }
        if offset == line.source.length, wire.endsWithLastByte { return UploadedFile(url: place.url, response: place.head) }
        return try await append(at: offset, place)
    }

    // MARK: The requests

    private mutating func create() async throws {
        var request = line.request
        for field in try wire.creation(line.source) where !request.headers.contains(field.name) { request.headers.append(field) }
        let response = try await line.answer(request)
        let state = try wire.state(response.headers, now: line.now)
        guard let location = response.headers[values: .location].first else {
            throw TransferFault(TarmacError(.uploadProtocolFailed, phase: .judging, "the server made an upload and did not say where: no Location"))
        }
        let url = try line.checked(location, from: response.url)
        if let most = state.maxSize, most < line.source.length {
            throw TransferFault(TarmacError(.bodyTooLarge, phase: .judging, "the server takes \(most) bytes at most, and the file has \(line.source.length)"))
        }
        note(state)
        let made = UploadPlace(url: url, head: response.headOnly, expires: state.expires)
        try await line.note(made)
        (place, offset) = (made, 0)
    }

    /// How much the server has.
    private mutating func ask(_ place: UploadPlace) async throws -> UploadedFile? {
        let response = try await line.answer(Request(.head, place.url, headers: line.headers(wire.common, to: place.url)))
        let state = try wire.state(response.headers, now: line.now)
        guard let known = state.offset, known <= line.source.length else {
            throw TransferFault(TarmacError(.uploadProtocolFailed, phase: .judging, "the server does not say how much it has, or has more than there is"))
        }
        if let length = state.length, length != line.source.length { throw UploadGone() }
        note(state)
        if state.isComplete == true { return UploadedFile(url: place.url, response: response.headOnly) }
        patience.progressed(to: known)
        offset = known
        return nil
    }

    private mutating func append(at start: Int64, _ place: UploadPlace) async throws -> UploadedFile? {
        try line.source.checkUnchanged()
        let end = chunk < line.source.length - start ? start + chunk : line.source.length
        let isLast = end == line.source.length
        var request = Request(.patch, place.url, headers: line.headers(wire.append(at: start, isLast: isLast), to: place.url))
        request.body = line.body(start..<end, contentType: wire.contentType)
        request.headers[.contentType] = wire.contentType
        if let algorithm = line.settings.checksum { request.headers.append(wire.checksum(try await line.digest(start..<end, algorithm), algorithm)) }
        // Until the answer is there nobody knows how much has arrived.
        offset = nil
        let response = try await line.answer(request)
        let state = try wire.state(response.headers, now: line.now)
        note(state)
        if state.isComplete == true || isLast && !wire.endsWithLastByte && state.isComplete == nil {
            return UploadedFile(url: place.url, response: response)
        }
        let reached = state.offset ?? end
        guard reached > start, reached <= end else {
            throw TransferFault(
                TarmacError(.uploadProtocolFailed, phase: .judging, "the server took \(end - start) bytes at \(start) and says it has \(reached)"))
        }
        patience.progressed(to: reached)
        offset = reached
        self.place?.head = response.headOnly
        return nil
    }

    private mutating func note(_ answer: UploadAnswer) {
        if let most = answer.maxAppendSize, most > 0 { chunk = min(chunk, most) }
    }

    // MARK: What goes wrong

    private mutating func recover(from error: TarmacError) async throws {
        let status = error.code == .unacceptableStatus ? error.status?.code : nil
        // The answer to the whole, and no good one: to go on would change nothing.
        if let head = error.response, (try? wire.state(head.headers, now: line.now))?.isComplete == true { throw error }
        switch status {
        case 404, 410, 403:
            guard place != nil, freshStarts == 0, place?.isRecalled == true || status != 403 else { throw error }
            try await startOver()
        // 409: another offset. 460: damaged on the way (tus checksum). 423: the server still holds an earlier request.
        case 409, 460, 423:
            guard place != nil else { throw error }
            offset = nil
            try await patience.wait(after: error, isTransient: true)
        default:
            guard place != nil, !line.resume.isNever else { throw error }
            offset = nil
            try await patience.wait(after: error)
        }
    }

    private mutating func startOver() async throws {
        freshStarts += 1
        guard freshStarts <= 2 else {
            throw TransferFault(TarmacError(.uploadProtocolFailed, phase: .judging, "the server forgets the upload, or tells another length, again and again"))
        }
        (place, offset) = (nil, nil)
        try await line.forget()
    }
}
