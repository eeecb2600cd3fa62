extension Sequence<UInt8> {
    /// Calls `body` with the elements; copies them only if they are not contiguous in memory.
    @inlinable
    package func withContiguousBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        self.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(self).withUnsafeBytes(body)
    }
}
