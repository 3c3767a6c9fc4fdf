#if canImport(Darwin)
import Foundation
import Security

// The casts that need Objective-C, and nothing else: scripts/apple-check, which has no Objective-C, checks the rest of the
// target against scripts/support/apple/seams/Tarmac/Bridging.swift. Both files declare the same functions.

func coreText(_ text: String) -> CFString { text as CFString }

func coreDictionary(_ dictionary: [String: Any]) -> CFDictionary { dictionary as CFDictionary }

func plainText(_ text: CFString) -> String { text as String }

/// `nil` for anything but data.
func plainData(_ object: CFTypeRef?) -> Data? { object as? Data }
#endif
