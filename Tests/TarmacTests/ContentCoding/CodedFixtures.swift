import Foundation
import Tarmac

/// Bodies coded by Python's zlib, so that nothing here checks Tarmac with itself.
enum Coded {
    static let text = String(repeating: "停机坪 tarmac, tarmac, tarmac; landing exactly once. ", count: 8)
    static let mebibyte = 1 << 20

    static let gzip = decode(
        "H4sIAAAAAAACA3vaOOfZnF1P565SKEksyk1M1kGjrRVyEvNSMvPSFVIrEpNLcioV8vOSU/UUno7qGxT6APHXDmXAAQAA")
    /// FTEXT, FHCRC, FEXTRA, FNAME and FCOMMENT.
    static let gzipWithEveryHeaderField = decode(
        "H4sIHwAAAAACAwYAVEECAGhpbmFtZS50eHQAYSBjb21tZW50APlVe9o459mcXU/nrlIoSSzKTUzW"
            + "QaOtFXIS81Iy89IVUisSk0tyKhXy85JT9RSejuobFPoA8dcOZcABAAA=")
    static let zlib = decode(
        "eNp72jjn2ZxdT+euUihJLMpNTNZBo60VchLzUjLz0hVSKxKTS3IqFfLzklP1FJ6O6hsU+gBUzbd5")
    static let bareDeflate = decode(
        "e9o459mcXU/nrlIoSSzKTUzWQaOtFXIS81Iy89IVUisSk0tyKhXy85JT9RSejuobFPoA")
    /// The text `stored tarmac` in a stored block.
    static let storedDeflate = decode("AQ0A8v9zdG9yZWQgdGFybWFj")

    /// A mebibyte of zeros in gzip, in gzip again.
    static let zerosInGzipTwice = decode(
        "H4sIAAAAAAACA5Pv5mAAASbmtwcNGYGMQwu++udyxC9gGAWjYBSMOGDHLPPKYjkDgwADACPwtJAbBAAA")
    /// A mebibyte of zeros in zlib, in gzip.
    static let zerosInZlibInGzip = decode(
        "H4sIAAAAAAACA6u49fagISMDA8OhBV/9czniFzCMglEwCkYcsGNm+MDACADmuGR4DwQAAA==")

    private static func decode(_ text: String) -> [UInt8] { [UInt8](Data(base64Encoded: text) ?? Data()) }
}
