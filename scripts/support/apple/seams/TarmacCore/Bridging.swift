import Foundation
import Security

func coreText(_ text: String) -> CFString { fatalError() }
func coreDictionary(_ dictionary: [String: Any]) -> CFDictionary { fatalError() }
func plainText(_ text: CFString) -> String { fatalError() }
func plainData(_ object: CFTypeRef?) -> Data? { fatalError() }
