/// The frames of a whole codestream, by their headers.
struct JXLFrames {
    /// The number of shown frames: 1 unless animated. Frames after the first one may be missing.
    private(set) var count = 0
    /// Whether the first frame keeps all samples: none of its layers is in XYB or coded by DCT.
    private(set) var areLossless: Bool
    /// Whether the decoder holds the whole first frame: a part of it is not coded by DCT, or it has several layers.
    private(set) var holdPicture = false
    private let picture: JXLHeader
    /// The pixels of the largest layer of the first frame.
    private var mostPixels = 0
    /// The pixels of layers that the decoder keeps for later ones, by slot.
    private var keptPixels = [0, 0, 0, 0]

    /// - Parameters:
    ///   - codestream: Without container.
    ///   - start: The offset of the first frame.
    ///   - watch: Is asked at each frame.
    /// - Throws: ``CodecError/truncated`` if data of the first frame is missing;
    ///   ``CodecError/overLimit(_:value:limit:)`` for its layers and their pixels, and for the number of frames;
    ///   ``CodecError/unsupported(_:)`` if layers follow sections in an order of their own, which hides them.
    init(
        _ codestream: UnsafeRawBufferPointer, of picture: JXLHeader, from start: Int, watch: RenderWatch
    ) throws(CodecError) {
        self.picture = picture
        self.areLossless = !picture.isXYB
        let limits = watch.limits
        var (offset, layerCount) = (start, 0)
        while true {
            try watch.check()
            let frame: JXLFrame
            let length: Int?
            do throws(CodecError) {
                let rest = UnsafeRawBufferPointer(rebasing: codestream[min(offset, codestream.count)...])
                var bits = JXLBits(rest)
                frame = try JXLFrame(&bits, of: picture)
                if self.count == 0 {
                    layerCount += 1
                    try CodecLimits.check(.layers, layerCount, atMost: limits.maxLayers)
                    try CodecLimits.check(.pixels, frame.width * frame.height, atMost: limits.maxPixels)
                }
                length = try frame.dataLength(&bits, watch: watch)
                offset += bits.position / 8 + (length ?? 0)
                guard offset <= codestream.count else { throw .truncated }
            } catch {
                // Only the first frame is decoded.
                guard self.count > 0, error != .stopped else { throw error }
                return
            }
            if self.count == 0 { self.note(frame, isLayer: layerCount > 1) }
            if frame.completesPicture {
                self.count += 1
                try CodecLimits.check(.frames, self.count, atMost: limits.maxFrames)
            }
            // The next frame cannot be found.
            guard length != nil else {
                guard self.count > 0 else { throw .unsupported("JPEG XL with layers in an order of their own") }
                return
            }
            if frame.completesPicture, frame.isLast { return }
        }
    }

    private mutating func note(_ frame: JXLFrame, isLayer: Bool) {
        if !frame.isModular { self.areLossless = false }
        self.holdPicture = self.holdPicture || frame.isModular || isLayer
        let pixels = frame.width * frame.height
        self.mostPixels = max(self.mostPixels, pixels)
        // A shown layer is kept with those below, as a picture.
        guard let slot = frame.slot else { return }
        self.keptPixels[slot] = max(self.keptPixels[slot], frame.isShown ? self.pixels : pixels)
    }

    private var pixels: Int { self.picture.width * self.picture.height }

    /// The memory for layers that are larger than the picture, and for kept ones beside one picture, in bytes.
    private var layerBytes: Int {
        let channels = self.picture.channels.count
        let larger = max(0, self.mostPixels - self.pixels) * (40 + 12 * channels)
        return larger + max(0, self.keptPixels.reduce(0, +) - self.pixels) * 4 * (3 + channels)
    }

    /// Throws ``CodecError/overLimit(_:value:limit:)`` if decoding needs more memory than planned, because the plan was
    /// made without knowledge of the frames.
    func check(_ plan: SourcePlan, joinedBytes: Int) throws(CodecError) {
        var header = plan.source
        self.complete(&header, joinedBytes: joinedBytes)
        func bytes(_ header: ImageHeader) -> Int {
            header.format.decoding.decoderBytes(for: header, at: plan.scale, limits: .init())
        }
        try CodecLimits.check(.workingMemory, bytes(header), atMost: bytes(plan.source))
    }

    /// Completes a header with the properties of frames.
    /// - Parameter joinedBytes: The bytes of a codestream that is joined from several parts.
    func complete(_ header: inout ImageHeader, joinedBytes: Int) {
        header.frameCount = max(1, self.count)
        header.isLossless = self.areLossless
        header.isMultiScan = self.holdPicture
        header.layerBytes = joinedBytes + self.layerBytes
    }
}
