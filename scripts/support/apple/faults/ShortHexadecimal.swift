// expected on watchos: integer literal '4294967295' overflows when stored into 'Int'
let mask: Int = 0xFFFF_FFFF
