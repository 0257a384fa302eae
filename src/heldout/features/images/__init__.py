"""What the image transformers are made of: images, gray levels, patches, contours, moments."""
