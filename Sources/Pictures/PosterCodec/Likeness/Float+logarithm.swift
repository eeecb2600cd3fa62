extension Float {
    /// The natural logarithm of a positive normal number, with an error of about the last digit. The C library's result
    /// depends on the CPU, and other results would be other bytes under the same entity tag.
    var portableLogarithm: Float {
        // The exponent that leaves a fraction from √½ to √2.
        let exponent = Int32(bitPattern: self.bitPattern &- 0x3F35_04F3) >> 23
        let fraction = Float(bitPattern: self.bitPattern &- UInt32(bitPattern: exponent << 23))
        // The logarithm is twice the inverse hyperbolic tangent of this ratio.
        let ratio = (fraction - 1) / (fraction + 1)
        let square = ratio * ratio
        let series = 1 + square * (0.333333333 + square * (0.2 + square * 0.142857143))
        return Float(exponent) * 0.693147181 + 2 * ratio * series
    }
}
