/// Copies matches, many bytes at a time.
enum InflateCopy {
    /// Repeats at `output` what came `distance` bytes before. Up to 15 bytes more than `length`
    /// may be written, and as many be read.
    @inline(__always) static func copy(_ output: UnsafeMutablePointer<UInt8>, distance: Int, length: Int) {
        var target = UnsafeMutableRawPointer(output)
        var source = UnsafeRawPointer(output) - distance
        let end = target + length
        if distance >= 16 {
            repeat {
                target.storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
                target += 16
                source += 16
            } while target < end
        } else if distance >= 8 {
            // Both ends of the bytes between, which may overlap.
            let first = source.loadUnaligned(as: UInt64.self)
            let last = (UnsafeRawPointer(output) - 8).loadUnaligned(as: UInt64.self)
            repeat {
                target.storeBytes(of: first, as: UInt64.self)
                (target + (distance &- 8)).storeBytes(of: last, as: UInt64.self)
                target += distance
            } while target < end
        } else {
            // The bytes between, as often as they fit into a word, are what is written.
            let bits = UInt64(truncatingIfNeeded: 8 &* distance)
            var word = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self)) & (1 &<< bits &- 1)
            var step = distance
            if distance < 4 {
                word |= word &<< bits
                word |= word &<< (2 &* bits)
                step = distance == 3 ? 6 : 8
                if distance == 1 { word |= word &<< 32 }
            } else {
                word |= word &<< bits
                if distance == 4 { step = 8 }
            }
            repeat {
                target.storeBytes(of: word.littleEndian, as: UInt64.self)
                target += step
            } while target < end
        }
    }
}
