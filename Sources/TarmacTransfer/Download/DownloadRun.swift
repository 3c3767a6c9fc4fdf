import HTTPTypes
import TarmacCore

/// Carries out one download: sends requests, writes bytes, resumes after interruptions, and names the file.
final class DownloadRun {
    let download: DownloadContext
    let place: DownloadPlace
    private let policy = RangePolicy()
    private var entity: RangeEntity?
    private var segments: [TransferRecord.Segment]
    private var backoff: Backoff
    private var digest: ExpectedDigest?
    private var lastHead: Response?
    /// Whether ranges may be downloaded side by side; `false` once one of them did not fit.
    private var mayFork: Bool

    init(_ download: DownloadContext, _ place: DownloadPlace) {
        self.download = download
        self.place = place
        entity = place.found?.entity
        segments = place.found?.segments ?? []
        backoff = Backoff(download.context, download.resume, held: place.partial.length)
        mayFork = download.isResumable && download.rule.parallelRanges > 1
    }

    /// Runs the download and returns the last response once the file is in its place.
    func run() async throws -> Response {
        do {
            let response = try await received()
            try await check()
            try await place.finish(synchronizes: download.rule.synchronizes)
            download.meter?.finish()
            return response
        } catch {
            let failure = (error as? TransferFault)?.error ?? error
            let isKept = download.keepsAfterFailure && entity?.validator != nil && !TransferFault.isInDoubt(failure)
            await place.leave(keeping: isKept, segments, for: download.keepingHold, isAwaited: download.outlivesProcess && failure is CancellationError)
            throw failure
        }
    }

    private func received() async throws -> Response {
        try await clearUnlessKnown()
        // The transport's work in the next process is identified by the record in the ledger.
        if download.outlivesProcess, entity == nil { try await place.note(.unknown) }
        while true {
            do {
                try download.checkEnd()
                if let response = try await step() { return response }
            } catch let error as TarmacError {
                // A download that cannot be completed cannot continue.
                guard download.isResumable, entity?.validator != nil else { throw error }
                backoff.progressed(to: held)
                try await backoff.wait(after: error)
            }
        }
    }

    /// Discards bytes of an unknown entity.
    private func clearUnlessKnown() async throws {
        let first = segments.first
        if entity == nil || first.map({ place.partial.length < $0.start }) ?? false { try await startOver() }
        download.meter?.update { [held] in $0.received = held }
    }

    private var held: Int64 { place.partial.length }

    /// Sends one request, or all ranges side by side; returns `nil` if more requests are needed.
    private func step() async throws -> Response? {
        if let entity { try await fork(entity) }
        if !segments.isEmpty {
            try await land(segments)
            if held == entity?.total, let lastHead { return lastHead }
        }
        let ask = nextAsk()
        let response = try await download.answer(to: ask, of: entity, as: place.key)
        let isRenewed = place.renews(by: response)
        switch meaning(of: response, to: ask) {
        case .complete: return response
        case .refused: throw DownloadContext.refusal(of: response)
        case .unusable(let what):
            if ask == .whole { throw TransferFault(TarmacError(.malformedResponse, phase: .receiving, "the server sent \(what)")) }
            (mayFork, lastHead) = (false, nil)
            try await startOver()
            return nil
        case .whole(let entity):
            // Bytes that cannot be resumed belong to no range.
            try await begin(entity, at: 0)
            digest = response.contentDigest
            try await write(response.body, to: entity.total)
            return response
        case .part(let range, let entity):
            try await begin(entity, at: range.lowerBound, isRenewed: isRenewed)
            try await write(response.body, to: range.upperBound)
            try await checkPart(response, range)
            if entity.total == held { return response }
            lastHead = response
            if !ask.isEnd(range) { try await backoff.passed(to: held, elseThrow: DownloadContext.shreds) }
            return nil
        }
    }

    private func meaning(of response: Response, to ask: RangePolicy.Ask) -> RangePolicy.Meaning {
        // The response to a Range that the caller set is the content of the file.
        if download.request.headers.contains(.range) { return .whole(.unknown) }
        return policy.judge(response, to: ask, held: held, of: entity)
    }

    /// Returns the next request. If ranges are allowed, the first one asks for a small part, to learn the total length.
    private func nextAsk() -> RangePolicy.Ask {
        if mayFork, entity == nil, held == 0 { return .from(0, to: download.rule.minimumRange) }
        return policy.ask(held: held, of: entity)
    }

    // MARK: Writing

    /// Writes the record before the first byte that it describes, and after the bytes of another entity are removed.
    private func begin(_ entity: RangeEntity, at start: Int64, isRenewed: Bool = false) async throws {
        if let total = entity.total, total > download.rule.maximumSize { throw TransferFault.tooLarge(download.rule.maximumSize) }
        try place.partial.truncate(to: start)
        if entity != self.entity || start == 0 || isRenewed {
            if entity.validator == nil { try await place.forget() } else { try await place.note(entity) }
        }
        self.entity = entity
        try download.checkSpace(for: entity.total.map { $0 - start }, beside: place.path)
        download.meter?.update {
            $0.received = start
            $0.totalToReceive = entity.total
        }
    }

    private func write(_ body: ResponseBody, to end: Int64?) async throws {
        let meter = download.meter
        let writer = BodyWriter(partial: place.partial, end: end, maximum: download.rule.maximumSize) { count in meter?.update { $0.received += Int64(count) } }
        try await writer.write(body)
    }

    private func startOver() async throws {
        place.remove(segments)
        (entity, segments, digest) = (nil, [], nil)
        try place.partial.truncate(to: 0)
        try await place.forget()
    }

    // MARK: Side by side

    private func fork(_ entity: RangeEntity) async throws {
        guard mayFork, segments.isEmpty, let total = entity.total, entity.validator != nil else { return }
        segments = SegmentPlan(from: held, to: total, count: download.rule.parallelRanges, minimum: download.rule.minimumRange)
            .segments(beside: FilePlace.name(of: place.partial.path))
        guard let longest = segments.map({ $0.end - $0.start }).max() else { return }
        // If the disk has room for the file only once, it is downloaded in one piece.
        if let free = download.freeSpace(beside: place.path), free - longest < total - held {
            (mayFork, segments) = (false, [])
            return
        }
        // Existing files with the names of new ranges belong to no record.
        place.remove(segments)
        try await place.note(entity, segments: segments)
    }

    private func land(_ segments: [TransferRecord.Segment]) async throws {
        guard let entity else { return try await startOver() }
        do {
            if let head = try await SegmentedDownload(download: download, place: place, entity: entity).land(segments) { lastHead = head }
            self.segments = []
            try await place.note(entity)
        } catch is EntityChanged {
            (mayFork, lastHead) = (false, nil)
            try await startOver()
        }
    }

    // MARK: Checking

    private func checkPart(_ response: Response, _ range: Range<Int64>) async throws {
        guard let digest = response.contentDigest else { return }
        try await download.digest.check(place.partial, range, against: digest, of: "the server's Content-Digest")
    }

    /// Checks the digests that the caller expects, and those that the server sent for the file and the response (RFC
    /// 9530).
    private func check() async throws {
        let whole = 0..<held
        let claims = [
            (download.expected.isAny ? nil : download.expected, "the caller"), (entity?.expected, "the server's Repr-Digest"),
            (digest, "the server's Content-Digest"),
        ]
        var checked: [ExpectedDigest] = []
        for case (let claim?, let whom) in claims where !checked.contains(claim) {
            try await download.digest.check(place.partial, whole, against: claim, of: whom)
            checked.append(claim)
        }
    }
}

extension Response {
    /// The server's digest of this response alone (RFC 9530 §2).
    var contentDigest: ExpectedDigest? { isCoded ? nil : DigestField.strongest(DigestField.content, in: headers) }
}
