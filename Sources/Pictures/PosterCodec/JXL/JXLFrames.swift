/// The frames of a whole codestream, by their headers.
struct JXLFrames {
    /// The number of shown frames: 1 unless animated. Frames after the first one may be missing.
    private(set) var count = 0
    /// Whether the first frame keeps all samples: none of its layers is in XYB or coded by DCT.
    private(set) var areLossless: Bool
    /// Whether the decoder holds the whole first frame: a part of it is not coded by DCT, or it has several layers.
    private(set) var holdPicture = false

    /// - Parameters:
    ///   - codestream: Without container.
    ///   - start: The offset of the first frame.
    /// - Returns: `nil` if only a decoder can find the frames: behind an ICC profile or a preview, or with sections in an
    ///   order of their own.
    /// - Throws: ``CodecError/truncated`` if data of the first frame is missing;
    ///   ``CodecError/overLimit(_:value:limit:)`` for its layers and their pixels, and for the number of frames.
    init?(
        _ codestream: UnsafeRawBufferPointer, of picture: JXLHeader, from start: Int, limits: CodecLimits
    ) throws(CodecError) {
        guard !picture.colours.hasProfile, !picture.hasPreview else { return nil }
        self.areLossless = !picture.isXYB
        var (offset, layerCount) = (start, 0)
        while true {
            let frame: JXLFrame
            do throws(CodecError) {
                let rest = UnsafeRawBufferPointer(rebasing: codestream[min(offset, codestream.count)...])
                var bits = JXLBits(rest)
                frame = try JXLFrame(&bits, of: picture)
                if self.count == 0 {
                    layerCount += 1
                    try CodecLimits.check(.layers, layerCount, atMost: limits.maxLayers)
                    try CodecLimits.check(.pixels, frame.width * frame.height, atMost: limits.maxPixels)
                }
                guard let length = try frame.dataLength(&bits) else {
                    if self.count > 0 { return }
                    return nil
                }
                offset += bits.position / 8 + length
                guard offset <= codestream.count else { throw .truncated }
            } catch {
                // Only the first frame is decoded.
                guard self.count > 0 else { throw error }
                return
            }
            if self.count == 0 {
                if !frame.isModular { self.areLossless = false }
                self.holdPicture = self.holdPicture || frame.isModular || layerCount > 1
            }
            guard frame.completesPicture else { continue }
            self.count += 1
            try CodecLimits.check(.frames, self.count, atMost: limits.maxFrames)
            if frame.isLast { return }
        }
    }
}
