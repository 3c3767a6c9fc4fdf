#if NIO
@_spi(TarmacRooms) import TarmacCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The certificates that new connections have: of the settings, of their rotation, and the versions of the files that they name.
struct TLSMaterial: Equatable {
    let trust: ConnectionSettings.TrustSetting
    let identity: ClientIdentity?
    private let versions: [FileVersion]

    init(_ settings: ConnectionSettings) {
        (trust, identity) = (settings.trust, settings.clientIdentity)
        versions = Self.files(trust, identity).map { FileVersion($0) }
    }

    /// Whether the certificates of settings can change.
    static func changes(_ settings: ConnectionSettings) -> Bool {
        settings.rotation != nil || !files(settings.trust, settings.clientIdentity).isEmpty
    }

    private static func files(_ trust: ConnectionSettings.TrustSetting, _ identity: ClientIdentity?) -> [String] {
        var files: [String] = []
        switch trust {
        case .systemAnd(let file), .only(let file): files.append(file)
        case .system, .onlyPEM, .insecureAcceptAnyCertificate: break
        }
        if case .pemFiles(let certificate, let key) = identity?.source { files += [certificate, key] }
        return files
    }
}

/// The properties that differ when a file has been written or replaced.
private struct FileVersion: Equatable {
    private var device: UInt64 = 0
    private var number: UInt64 = 0
    private var size: Int64 = -1
    private var changed: [Int] = []

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        (device, number, size) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino), Int64(status.st_size))
        #if canImport(Darwin)
        changed = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec, status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #else
        changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #endif
    }
}
#endif
